import type { ReadResource } from '../model/resource.ts'

/** What a condition takes in memory, as an object and rendered. */
const BYTES_OF_CONDITION = 1000

/** Resources by id, the latest read last; the least recently used fall out. */
export interface ResourceCache {
  get(id: string): ReadResource | undefined
  put(resource: ReadResource): void
}

/**
 * Keeps about so many bytes of resources. They are never served unasked: a reader compares the
 * version with the database's each time, and saves reading the rest.
 */
export function createResourceCache(maxBytes: number): ResourceCache {
  const entries = new Map<string, { readonly resource: ReadResource; readonly bytes: number }>()
  let total = 0

  function drop(id: string): void {
    total -= entries.get(id)?.bytes ?? 0
    entries.delete(id)
  }

  return {
    get: (id) => {
      const entry = entries.get(id)
      if (!entry) return undefined
      entries.delete(id)
      entries.set(id, entry)
      return entry.resource
    },
    put: (resource) => {
      const bytes = sizeOf(resource)
      drop(resource.id)
      if (bytes > maxBytes) return
      entries.set(resource.id, { resource, bytes })
      total += bytes
      for (const id of entries.keys()) {
        if (total <= maxBytes) break
        drop(id)
      }
    },
  }
}

/** The texts, and about as much again of them rendered; conditions as objects. */
function sizeOf({ spec, labels, annotations, conditions }: ReadResource): number {
  const texts = spec.length + labels.length + annotations.length
  return 2 * texts + conditions.length * BYTES_OF_CONDITION
}
