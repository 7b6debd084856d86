import type { ObjectWrite } from '../model/object-write.ts'
import type { ObjectKey } from '../model/stored-object.ts'
import type { QueuedWrite } from './queued-write.ts'

/** Larger statements delay the first writes without saving much. */
export const MAX_WRITES = 64

/** The most characters of a statement that has more than one write. */
export const MAX_LENGTH = 4_194_304

/**
 * The number of writes at the head of a plane's queue that can share a statement. They have
 * different keys, and none of them depends on another: a namespace and its objects are written
 * separately, and so are creates that a limit counts together.
 */
export function batchSize(queue: readonly QueuedWrite[], maxWrites: number): number {
  const keys = new Set<string>()
  const namespaces = new Set<string>()
  const needed = new Set<string>()
  let count = 0
  let size = 0
  for (const queued of queue.slice(0, maxWrites)) {
    const { write, keys: written } = queued
    size += queued.size
    if (count > 0 && (queued.isSuspicious || size > MAX_LENGTH)) return count
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
    if (queued.isSuspicious) return count
  }
  return count
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
