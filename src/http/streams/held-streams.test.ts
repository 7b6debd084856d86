import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { HeldStreams } from './held-streams.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Streams that record their flushes. Each flush takes 4 of the 10 ms of a slice. */
function holding() {
  const flushed: string[] = []
  let time = 0
  const held = new HeldStreams({ coalesceMs: 100, sliceMs: 10, now: () => time })
  const stream = (name: string) => ({
    flush: () => {
      time += 4
      flushed.push(name)
    },
  })
  return { held, flushed, stream }
}

test('flushes due events immediately if no stream of the group holds events back', () => {
  const { held, flushed, stream } = holding()
  held.hold(stream('other'), 'b', false)
  held.hold(stream('owners'), 'a', true)
  expect(flushed).toEqual(['owners'])
})

test('flushes what a group holds back before later events of the group', () => {
  const { held, flushed, stream } = holding()
  const dependents = stream('dependents')
  held.hold(stream('owners'), 'a', false)
  held.hold(stream('other'), 'b', false)
  held.hold(dependents, 'a', true)
  held.hold(dependents, 'a', true)
  expect(flushed).toEqual([])
  vi.advanceTimersByTime(0)
  expect(flushed).toEqual(['owners', 'dependents'])
  vi.advanceTimersByTime(100)
  expect(flushed).toEqual(['owners', 'dependents', 'other'])
})

test('flushes due events of a single stream immediately, with those that it held back', () => {
  const { held, flushed, stream } = holding()
  const owners = stream('owners')
  held.hold(owners, 'a', false)
  held.hold(owners, 'a', true)
  expect(flushed).toEqual(['owners'])
})

test('flushes a group in slices and in order, and leaves later events to the timer', () => {
  const { held, flushed, stream } = holding()
  const names = ['1', '2', '3', '4', '5']
  const streams = names.map(stream)
  for (const one of streams) held.hold(one, 'a', false)
  held.hold(stream('due'), 'a', true)
  vi.advanceTimersToNextTimer()
  expect(flushed).toEqual(['1', '2', '3'])
  held.hold(stream('later'), 'a', false)
  vi.advanceTimersByTime(10)
  expect(flushed).toEqual([...names, 'due'])
  vi.advanceTimersByTime(100)
  expect(flushed).toEqual([...names, 'due', 'later'])
})

test('flushes in one round what a group holds back before an event of a stream that is due', () => {
  const { held, flushed, stream } = holding()
  const dependents = stream('dependents')
  held.hold(stream('first'), 'a', false)
  held.hold(dependents, 'a', true)
  held.hold(stream('owners'), 'a', false)
  held.hold(dependents, 'a', false)
  vi.advanceTimersByTime(10)
  expect(flushed).toEqual(['first', 'dependents', 'owners'])
})

test('flushes every group while one always has due events', () => {
  const { held, flushed, stream } = holding()
  const busy = ['1', '2', '3', '4', '5', '6'].map(stream)
  for (const one of busy) held.hold(one, 'busy', false)
  held.hold(stream('other'), 'b', false)
  vi.advanceTimersByTime(100)
  for (let turn = 0; turn < 3; turn += 1) {
    for (const one of busy) held.hold(one, 'busy', true)
    vi.advanceTimersToNextTimer()
  }
  expect(flushed).toContain('other')
})

test('flushes the streams that are due and the others together when memory is needed', () => {
  const { held, flushed, stream } = holding()
  held.hold(stream('owners'), 'a', false)
  held.hold(stream('dependents'), 'a', true)
  held.hold(stream('other'), 'b', false)
  held.flushAll()
  expect(flushed).toEqual(['owners', 'dependents', 'other'])
  vi.advanceTimersByTime(100)
  expect(flushed).toHaveLength(3)
})

test('flushes in one slice at a time after it has freed memory', () => {
  const { held, stream } = holding()
  for (const name of ['1', '2', '3']) {
    held.hold(stream('owners'), 'a', false)
    held.hold(stream(name), 'a', true)
    held.flushAll()
  }
  // One for the events that are held back, and one for those that are due.
  expect(vi.getTimerCount()).toBe(2)
})
