import { expect, test, vi } from 'vitest'
import { stopPerformanceClock } from '../../../test/support/stop-performance-clock.ts'
import { allSteps, stepsInTurns, type Steps } from './steps.ts'

/** Longer than a turn of the event loop may take. */
const LONG_MS = 11

stopPerformanceClock()

test('handles other events after a long step, and none between short ones', async () => {
  const order: string[] = []
  function* work(): Steps<string> {
    order.push('short')
    yield
    order.push('long')
    vi.advanceTimersByTime(LONG_MS)
    yield
    order.push('last')
    return 'result'
  }
  setImmediate(() => order.push('other event'))
  expect(await stepsInTurns(work())).toBe('result')
  expect(order).toEqual(['short', 'long', 'other event', 'last'])
})

test('passes failures on', async () => {
  function* work(): Steps<string> {
    yield
    throw new Error('broken')
  }
  await expect(stepsInTurns(work())).rejects.toThrow('broken')
  expect(() => allSteps(work())).toThrow('broken')
})
