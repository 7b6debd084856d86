import { expect, test } from 'vitest'
import { DueQueue } from '../../../clients/typescript/src/adapter/due-queue.ts'

/** A queue whose runs end when the test says so. */
function heldQueue() {
  const ends: ((nextMs: number | null) => void)[] = []
  const keys: string[] = []
  const queue = new DueQueue((key) => {
    keys.push(key)
    return new Promise((resolve) => ends.push(resolve))
  }, 3)
  return { queue, keys, end: (run: number, nextMs: number | null) => ends[run]?.(nextMs) }
}

test('a key that is forgotten and scheduled again while it runs never runs twice at a time', async () => {
  const { queue, keys, end } = heldQueue()
  queue.schedule('a', 0)
  await expect.poll(() => keys).toEqual(['a'])
  queue.forget('a')
  expect(queue.has('a')).toBe(false)
  queue.schedule('a', 0)
  expect(queue.has('a')).toBe(true)
  // Its timer would be due before this one.
  queue.schedule('b', 10)
  await expect.poll(() => keys).toContain('b')
  expect(keys).toEqual(['a', 'b'])
  end(0, null)
  await expect.poll(() => keys).toEqual(['a', 'b', 'a'])
  end(1, null)
  end(2, null)
  await expect.poll(() => [queue.has('a'), queue.has('b')]).toEqual([false, false])
  await queue.close()
})

test('a key that is forgotten while it runs does not run again', async () => {
  const { queue, keys, end } = heldQueue()
  queue.schedule('a', 0)
  await expect.poll(() => keys).toEqual(['a'])
  queue.schedule('a', 0)
  queue.forget('a')
  end(0, 0)
  queue.schedule('b', 10)
  await expect.poll(() => keys).toContain('b')
  expect(keys).toEqual(['a', 'b'])
  expect(queue.has('a')).toBe(false)
  end(1, null)
  await queue.close()
})
