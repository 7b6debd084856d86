import { setTimeout as sleep } from 'node:timers/promises'

/** Waits before the next attempt. Randomness separates writers that collided. */
function pause(attempt: number): Promise<void> {
  const ceiling = Math.min(2 ** attempt, 32)
  return sleep(Math.random() * ceiling)
}

/**
 * Runs `attempt` until it returns something other than `again`, at most `limit` times. The random
 * pauses between attempts grow up to 32 ms. Returns `again` if every attempt did.
 */
export async function retry<T>(limit: number, again: T, attempt: () => Promise<T>): Promise<T> {
  for (let count = 0; count < limit; count += 1) {
    const result = await attempt()
    if (result !== again) return result
    await pause(count)
  }
  return again
}
