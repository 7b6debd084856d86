import type { Resource } from '../model/resource.ts'

/** What parsed JSON takes in memory, for each character of its text: measured. */
const BYTES_PER_CHARACTER = 4

/** Resources by id, the latest read last; the least recently used fall out. */
export interface ResourceCache {
  get(id: string): Resource | undefined
  put(resource: Resource): void
}

/**
 * Keeps about so many bytes of resources. They are never served unasked: a reader compares the
 * version with the database's each time, and saves reading the rest.
 */
export function createResourceCache(maxBytes: number): ResourceCache {
  const entries = new Map<string, { readonly resource: Resource; readonly bytes: number }>()
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

function sizeOf({ spec, labels, annotations, conditions }: Resource): number {
  const { length } = JSON.stringify([spec, labels, annotations, conditions])
  return length * BYTES_PER_CHARACTER
}
