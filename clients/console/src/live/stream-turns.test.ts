import { setImmediate as nextTask } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Locks, StreamTurns } from './stream-turns.ts'

/** The Web Locks of a browser: exclusive, in the order of the requests. */
function browserLocks(): Locks {
  const queues = new Map<string, Promise<unknown>>()
  const pending = new Set<{ readonly name: string }>()
  return {
    request: async (name, { signal }, run) => {
      const before = queues.get(name)
      const aborted = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
      })
      const entry = { name }
      pending.add(entry)
      const granted = Promise.race([before, aborted]).finally(() => pending.delete(entry))
      const done = granted.then(run)
      queues.set(name, Promise.allSettled([before, done]))
      await done
    },
    query: () => Promise.resolve({ pending: [...pending] }),
  }
}

/** A window that holds its turn until it is closed. */
function openWindow(turns: StreamTurns, signal = new AbortController().signal) {
  const window = { hasTurn: false, close: () => {}, closed: Promise.resolve() }
  const isClosed = new Promise<void>((resolve) => {
    window.close = resolve
  })
  window.closed = turns.take(signal, async () => {
    window.hasTurn = true
    await isClosed
    window.hasTurn = false
  })
  return window
}

test('gives each turn to one window, then to the next in the order of the requests', async () => {
  const turns = new StreamTurns(browserLocks(), ['one', 'two'])
  const windows = Array.from({ length: 4 }, () => openWindow(turns))
  const holders = () => windows.map(({ hasTurn }) => hasTurn)
  await nextTask()
  expect(holders()).toEqual([true, true, false, false])
  expect(await turns.isWanted()).toBe(true)
  windows[1]?.close()
  await windows[1]?.closed
  await nextTask()
  expect(holders()).toEqual([true, false, true, false])
  windows[0]?.close()
  await nextTask()
  expect(holders()).toEqual([false, false, true, true])
  expect(await turns.isWanted()).toBe(false)
})

test('a window that is hidden leaves the queue', async () => {
  const turns = new StreamTurns(browserLocks(), ['one'])
  const first = openWindow(turns)
  const hidden = new AbortController()
  const second = openWindow(turns, hidden.signal)
  const third = openWindow(turns)
  await nextTask()
  hidden.abort()
  await second.closed
  first.close()
  await nextTask()
  expect([first.hasTurn, second.hasTurn, third.hasTurn]).toEqual([false, false, true])
})

test('a failed stream frees its turn', async () => {
  const turns = new StreamTurns(browserLocks(), ['one'])
  const { signal } = new AbortController()
  const failed = turns.take(signal, () => Promise.reject(new Error('gone')))
  await expect(failed).rejects.toThrow('gone')
  const next = openWindow(turns)
  await nextTask()
  expect(next.hasTurn).toBe(true)
})

test('without locks every stream has a turn', async () => {
  const turns = new StreamTurns(undefined, ['one'])
  const windows = [openWindow(turns), openWindow(turns)]
  await nextTask()
  expect(windows.map(({ hasTurn }) => hasTurn)).toEqual([true, true])
  expect(await turns.isWanted()).toBe(false)
})
