import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { chargeWork, workFor } from '../../lib/tracing/main-thread.ts'
import { statementObserver } from './observe-statement.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout'] })
})
// The files of a worker share the main thread, whose turn would never end with its timer lost.
afterEach(() => {
  vi.runAllTimers()
  vi.useRealTimers()
})

it('the duration of a statement does not include the wait for a turn', async () => {
  const seconds: number[] = []
  const observed = statementObserver({
    observe: (_name, duration) => void seconds.push(duration),
    onFailure: () => undefined,
  })
  const work = {}
  chargeWork(work, { debt: 1, givesWay: true, pay: () => undefined })
  workFor(work)
  const read = async () => {
    vi.advanceTimersByTime(7)
    return []
  }
  const result = observed('read', read)
  await vi.advanceTimersByTimeAsync(100)
  expect(await result).toEqual([])
  expect(seconds).toEqual([0.007])
})

it('work in a transaction does not wait for a turn', async () => {
  const observed = statementObserver({ observe: () => undefined, onFailure: () => undefined })
  const work = {}
  chargeWork(work, { debt: 1, givesWay: true, pay: () => undefined })
  workFor(work)
  expect(await observed('update', () => Promise.resolve([1]), 'in transaction')).toEqual([1])
  expect(vi.getTimerCount()).toBe(1)
})
