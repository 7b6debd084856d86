/** Throws if a condition is false that only a bug can break. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}

/** Returns the value; throws if it is absent, which only a bug can cause. */
export function must<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new Error(`expected ${what} to be present`)
  return value
}

/** Ends an exhaustive switch: the compiler rejects a call that is reachable. */
export function unreachable(value: never): never {
  throw new Error(`unexpected value ${JSON.stringify(value)}`)
}
