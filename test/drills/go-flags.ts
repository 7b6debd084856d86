/**
 * Flags of `go build`, `go install` and `go vet`: without optimizations, compilers need a third less of
 * CPU for programs that run briefly. Builds with equal flags share the compiled standard library.
 */
export const GO_FLAGS = ['-gcflags', 'all=-N -l'] as const
