const FIRST_MS = 200
const LONGEST_MS = 20_000
/** A server that asks for more is taken at its word up to this limit. */
const LONGEST_RETRY_AFTER_MS = 60_000

interface Backoff {
  /** Failures in a row, at least 1. */
  readonly failures: number
  /** From `Retry-After`. */
  readonly retryAfter: number | null
  /** At least 0 and below 1. */
  readonly random: number
}

/**
 * Milliseconds before the next attempt: doubled after every failure, half of it random, and never
 * shorter than the server asked for. Without the random part, all clients would return together
 * after an outage.
 */
export function backoff({ failures, retryAfter, random }: Backoff): number {
  const ms = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
  const own = ms / 2 + random * (ms / 2)
  const asked = Math.min(LONGEST_RETRY_AFTER_MS, retryAfter ?? 0)
  return asked > own ? asked + (random * FIRST_MS) / 2 : own
}
