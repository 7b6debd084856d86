import { vi } from 'vitest'
import { observeMainThread } from '../../src/lib/tracing/main-thread.ts'

/** Longer than a turn of the event loop may take. */
const LONG_MS = 11

let slices = 0
observeMainThread({ onSlice: () => (slices += 1) })

/**
 * The number of slices of the main thread while the server of this process serves a request. Each
 * look at the clock finds that the turn has become long.
 */
export async function countSlices(request: () => Promise<unknown>): Promise<number> {
  slices = 0
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += LONG_MS))
  try {
    await request()
  } finally {
    clock.mockRestore()
  }
  return slices
}
