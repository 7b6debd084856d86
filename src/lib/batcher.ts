import { assert } from './assert.ts'
import { FlotillaError } from './errors.ts'

/** Does many calls as one: `keys` in, their values out, in the same order. */
export type RunBatch<Key, Value> = (keys: readonly Key[]) => Promise<readonly Value[]>

interface Waiting<Key, Value> {
  readonly key: Key
  readonly arrival: number
  readonly resolve: (value: Value) => void
  readonly reject: (error: unknown) => void
}

interface Limits {
  /** Most keys of one batch. */
  readonly most: number
  /** A call that is not begun within so many milliseconds fails with SVC-001. */
  readonly patienceMs: number
  /** Most batches under way; what arrives meanwhile waits for one of them to end. */
  readonly atOnce: number
}

/**
 * Makes one call out of those that come at the same time: in the same turn of the event loop, or
 * while as many batches are under way as may be. A batch that fails fails all its calls.
 */
export function createBatcher<Key, Value>(
  run: RunBatch<Key, Value>,
  { most, atOnce, patienceMs }: Limits,
): (key: Key) => Promise<Value> {
  const waiting: Waiting<Key, Value>[] = []
  let running = 0
  let scheduled = false

  function start(): void {
    scheduled = false
    const late = performance.now() - patienceMs
    while ((waiting[0]?.arrival ?? Infinity) < late) waiting.shift()?.reject(tooLate())
    while (waiting.length > 0 && running < atOnce) {
      running += 1
      void finish(waiting.splice(0, most))
    }
  }

  async function finish(batch: readonly Waiting<Key, Value>[]): Promise<void> {
    try {
      const values = await run(batch.map(({ key }) => key))
      assert(values.length === batch.length, 'one value for each key')
      for (const [index, value] of values.entries()) batch[index]?.resolve(value)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    running -= 1
    start()
  }

  return (key) =>
    new Promise((resolve, reject) => {
      waiting.push({ key, arrival: performance.now(), resolve, reject })
      if (scheduled || running >= atOnce) return
      scheduled = true
      setImmediate(start)
    })
}

function tooLate(): FlotillaError {
  return new FlotillaError('SVC-001', 'Earlier reads have not finished in time')
}
