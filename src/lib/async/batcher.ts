import { assert } from '../assert.ts'
import { createBatchQueue } from './batch-queue.ts'

/** Runs a batch of calls: returns one value for each key, in the same order. */
export type RunBatch<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>

interface Limits {
  /** The name of its batches in traces. */
  readonly name: string
  /** Maximum number of keys per batch. */
  readonly maxBatchSize: number
  /** Calls that have not started after this many milliseconds fail with `unavailable`. */
  readonly timeoutMs: number
  /** Maximum number of batches that run at the same time. */
  readonly concurrency: number
}

/** A batch queue whose batches succeed or fail as a whole. */
export function createBatcher<Key, Value>(
  run: RunBatch<Key, Value>,
  limits: Limits,
): (key: Key) => Promise<Value> {
  return createBatchQueue<Key, Value>({
    ...limits,
    run: async (batch) => {
      try {
        const values = await run(batch.map(({ input }) => input))
        assert(values.length === batch.length, 'one value for each key')
        for (const [index, value] of values.entries()) batch[index]?.resolve(value)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    },
  })
}
