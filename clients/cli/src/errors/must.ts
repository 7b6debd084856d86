/** A value that exists unless the server breaks its contract. */
export function must<T>(value: T | null | undefined, expectation: string): T {
  if (value === null || value === undefined) throw new Error(`expected that ${expectation}`)
  return value
}
