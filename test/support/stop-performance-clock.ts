import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, vi } from 'vitest'

/**
 * Stops `performance.now()` in the tests of a file, which advance it: a machine that pauses the
 * process for some milliseconds would end a turn of the event loop, or a wait in it.
 */
export function stopPerformanceClock(): void {
  beforeEach(async () => {
    // The turn of an earlier test ends by the real clock.
    await setImmediate()
    vi.useFakeTimers({ toFake: ['performance'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}
