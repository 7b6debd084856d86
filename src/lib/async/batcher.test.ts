import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBatcher } from './batcher.ts'

/** A batcher that doubles numbers, and its batches. A batch ends when the test calls `end`. */
function doubling(limits = { maxBatchSize: 3, concurrency: 1, timeoutMs: 1000 }) {
  const batches: { readonly keys: readonly number[]; readonly end: () => void }[] = []
  const double = createBatcher(
    async (keys: readonly number[]) => {
      await new Promise<void>((end) => batches.push({ keys, end }))
      if (keys.includes(0)) throw new Error('no zero')
      return keys.map((key) => key * 2)
    },
    { name: 'double', ...limits },
  )
  return { double, batches }
}

it('makes one batch of the calls in one turn of the event loop', async () => {
  const { double, batches } = doubling()
  const values = Promise.all([double(1), double(2)])
  await nextTurn()
  expect(batches.map(({ keys }) => keys)).toEqual([[1, 2]])
  batches[0]?.end()
  expect(await values).toEqual([2, 4])
})

it('collects calls that arrive during a batch into the next one, up to the maximum size', async () => {
  const { double, batches } = doubling()
  const first = double(1)
  await nextTurn()
  const others = Promise.all([2, 3, 4, 5].map((key) => double(key)))
  await nextTurn()
  expect(batches).toHaveLength(1)
  batches[0]?.end()
  expect(await first).toBe(2)
  await nextTurn()
  expect(batches[1]?.keys).toEqual([2, 3, 4])
  batches[1]?.end()
  await nextTurn()
  batches[2]?.end()
  expect(await others).toEqual([4, 6, 8, 10])
})

it('runs several batches at the same time if the limit allows it', async () => {
  const { double, batches } = doubling({ maxBatchSize: 1, concurrency: 2, timeoutMs: 1000 })
  const values = Promise.all([1, 2, 3].map((key) => double(key)))
  await nextTurn()
  expect(batches.map(({ keys }) => keys)).toEqual([[1], [2]])
  for (const { end } of batches) end()
  await nextTurn()
  batches[2]?.end()
  expect(await values).toEqual([2, 4, 6])
})

it('rejects all calls of a failed batch and runs the next one', async () => {
  const { double, batches } = doubling()
  const failed = Promise.allSettled([double(0), double(1)])
  await nextTurn()
  batches[0]?.end()
  expect((await failed).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const next = double(4)
  await nextTurn()
  batches[1]?.end()
  expect(await next).toBe(8)
})

it('rejects calls that have waited longer than the timeout', async () => {
  const { double, batches } = doubling({ maxBatchSize: 1, concurrency: 1, timeoutMs: 500 })
  const first = double(1)
  const second = Promise.allSettled([double(2)])
  await sleep(600)
  batches[0]?.end()
  expect(await first).toBe(2)
  expect(await second).toMatchObject([{ status: 'rejected', reason: { reason: 'unavailable' } }])
  expect(batches).toHaveLength(1)
})
