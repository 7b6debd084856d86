import type { Rendering } from './rendering.ts'

/** What objects an entry takes in memory beside its rendering, as measured. */
const BYTES_OF_ENTRY = 1000

/** A version of a resource that was read. */
export interface KnownResource {
  readonly id: string
  readonly kind: string
  readonly ownerId: string
  readonly version: bigint
  readonly rendering: Rendering
}

/** Resources by id, the latest read last; the least recently used fall out. */
export interface ResourceCache {
  get(id: string): KnownResource | undefined
  put(resource: KnownResource): void
}

/**
 * Keeps about so many bytes of resources. They are never served unasked: a reader compares the
 * version with the database's each time, and saves reading the rest.
 */
export function createResourceCache(maxBytes: number): ResourceCache {
  const entries = new Map<string, KnownResource>()
  let total = 0

  function drop(id: string): void {
    const entry = entries.get(id)
    if (!entry) return
    total -= sizeOf(entry)
    entries.delete(id)
  }

  return {
    get: (id) => {
      const entry = entries.get(id)
      if (!entry) return undefined
      entries.delete(id)
      entries.set(id, entry)
      return entry
    },
    put: (resource) => {
      const bytes = sizeOf(resource)
      drop(resource.id)
      if (bytes > maxBytes) return
      entries.set(resource.id, resource)
      total += bytes
      for (const id of entries.keys()) {
        if (total <= maxBytes) break
        drop(id)
      }
    },
  }
}

function sizeOf({ rendering }: KnownResource): number {
  return rendering.bytes + BYTES_OF_ENTRY
}
