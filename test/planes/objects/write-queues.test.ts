import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queuedWrite } from '../../../src/store/objects/writes/queued-write.ts'
import { WriteQueues } from '../../../src/store/objects/writes/write-queues.ts'
import { createOf, keyOf } from './object-writes.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Queues whose statements end when the test says so. */
function startQueues() {
  const statements: (readonly string[])[] = []
  const ends: (() => void)[] = []
  const queues = new WriteQueues({
    run: (batches, release) => {
      statements.push(batches.map(({ plane }) => plane))
      return new Promise((resolve) => {
        ends.push(() => {
          batches.forEach(release)
          resolve()
        })
      })
    },
    timeoutMs: 60_000,
  })
  const push = (plane: string): void => {
    const settle = { resolve: () => undefined, reject: () => undefined }
    queues.push(queuedWrite(createOf(keyOf('one', { plane })), () => '{}', settle))
  }
  const end = async (): Promise<void> => {
    for (const each of ends.splice(0)) each()
    await turn()
  }
  return { statements, push, end }
}

test('writes to other planes that arrive during a statement share the next one', async () => {
  const { statements, push, end } = startQueues()
  push('a')
  await turn()
  for (const plane of ['b', 'c']) {
    push(plane)
    await turn()
  }
  expect(statements).toEqual([['a']])
  await end()
  expect(statements).toEqual([['a'], ['b', 'c']])
  await end()
  push('a')
  await turn()
  expect(statements).toEqual([['a'], ['b', 'c'], ['a']])
  await end()
})

test('a statement that takes long lets two others start', async () => {
  const { statements, push, end } = startQueues()
  for (const plane of ['a', 'b', 'c', 'd']) {
    push(plane)
    await turn()
    vi.advanceTimersByTime(100)
  }
  expect(statements).toEqual([['a'], ['b'], ['c']])
  push('e')
  await end()
  expect(statements).toEqual([['a'], ['b'], ['c'], ['d', 'e']])
  await end()
})
