/** Bounds of the delays between attempts. */
export interface Backoff {
  readonly baseMs: number
  readonly maxMs: number
}

/**
 * The delay after a number of failures in a row: exponential, and random between half and all of
 * it, so that clients that failed together do not return together.
 */
export function backoffDelay(
  { baseMs, maxMs }: Backoff,
  failures: number,
  random: () => number,
): number {
  const ceiling = Math.min(maxMs, baseMs * 2 ** Math.min(failures - 1, 40))
  return ceiling * (0.5 + random() / 2)
}
