import { FlotillaError } from '../../lib/errors.ts'
import type { ObjectWrite, WriteOutcome } from './model/object-write.ts'
import type { ObjectKey } from './model/stored-object.ts'

/** Larger batches delay the first writes without saving much. */
const MAX_WRITES = 64

/** A write that waits for its batch. */
export interface QueuedWrite {
  readonly write: ObjectWrite
  /** The keys of the object and of its companions. */
  readonly keys: readonly ObjectKey[]
  /** The approximate number of characters. */
  readonly size: number
  readonly arrival: number
  readonly resolve: (outcome: WriteOutcome) => void
  readonly reject: (error: unknown) => void
}

interface Options {
  /** Resolves or rejects every write of a batch. Must not throw. */
  readonly run: (plane: string, batch: readonly QueuedWrite[]) => Promise<void>
  /** Writes that have not started after this many milliseconds fail with `unavailable`. */
  readonly timeoutMs: number
}

/**
 * Runs one batch per plane at a time: writes that arrive during a batch form the next one. An idle
 * plane takes no memory.
 */
export function createPlaneQueues({
  run,
  timeoutMs,
}: Options): (write: ObjectWrite) => Promise<WriteOutcome> {
  const queues = new Map<string, QueuedWrite[]>()

  async function work(plane: string, queue: QueuedWrite[]): Promise<void> {
    while (queue.length > 0) {
      const late = performance.now() - timeoutMs
      while ((queue[0]?.arrival ?? Infinity) < late) queue.shift()?.reject(tooLate())
      const count = batchSize(queue)
      if (count > 0) await run(plane, queue.splice(0, count))
    }
    queues.delete(plane)
  }

  return (write) =>
    new Promise((resolve, reject) => {
      const { plane } = write.key
      const keys = [write.key, ...companionsOf(write).map(({ key }) => key)]
      const size = JSON.stringify(write.body).length
      const entry = { write, keys, size, arrival: performance.now(), resolve, reject }
      const queue = queues.get(plane)
      if (queue) {
        queue.push(entry)
        return
      }
      const started = [entry]
      queues.set(plane, started)
      // Writes of the same turn of the event loop form the first batch.
      setImmediate(() => void work(plane, started))
    })
}

/**
 * The number of writes that can share a statement. They have different keys, and none of them
 * depends on another: a namespace and its objects are written separately, and so are creates that
 * a limit counts together.
 */
function batchSize(queue: readonly QueuedWrite[]): number {
  const keys = new Set<string>()
  const namespaces = new Set<string>()
  const needed = new Set<string>()
  let count = 0
  for (const { write, keys: written } of queue.slice(0, MAX_WRITES)) {
    const texts = [...written.map(keyText), ...limitTexts(write)]
    if (texts.some((text) => keys.has(text))) return count
    const ownNamespaces = written
      .filter(({ resource }) => resource === 'namespaces')
      .map(({ name }) => name)
    const required = write.type === 'create' && write.requireNamespace ? [write.key.namespace] : []
    if (ownNamespaces.some((name) => needed.has(name))) return count
    if (required.some((name) => namespaces.has(name))) return count
    for (const text of texts) keys.add(text)
    for (const name of ownNamespaces) namespaces.add(name)
    for (const name of required) needed.add(name)
    count += 1
  }
  return count
}

function companionsOf(write: ObjectWrite): readonly { readonly key: ObjectKey }[] {
  return write.type === 'create' ? write.companions : []
}

/** Identifies the objects that the limit of a create counts. */
function limitTexts(write: ObjectWrite): readonly string[] {
  if (write.type !== 'create' || write.maxObjects === undefined) return []
  const { resource, namespace } = write.key
  return [JSON.stringify(['limit', resource, namespace])]
}

function keyText({ resource, namespace, name }: ObjectKey): string {
  return JSON.stringify([resource, namespace, name])
}

function tooLate(): FlotillaError {
  return new FlotillaError('unavailable', 'Earlier writes of this plane have not finished in time')
}
