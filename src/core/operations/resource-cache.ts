import type { Rendering } from './rendering.ts'

/** What objects an entry takes in memory beside its rendering, as measured. */
const BYTES_OF_ENTRY = 2000

/** A version of a resource that was read. */
export interface KnownResource {
  readonly id: string
  readonly tenant: string
  readonly kind: string
  readonly ownerId: string
  readonly version: bigint
  readonly rendering: Rendering
}

/** Resources by id; those that nobody has read for long fall out. */
export interface ResourceCache {
  get(id: string): KnownResource | undefined
  put(resource: KnownResource): void
  clear(): void
}

interface Entry {
  readonly resource: KnownResource
  readonly bytes: number
  /** Whether it has been read since it was last in danger of falling out. */
  isUsed: boolean
}

/**
 * Keeps about so many bytes of resources. They are never served unasked: a reader compares the
 * version with the database's each time, and saves reading the rest.
 *
 * What falls out is found by second chance: a read only leaves a mark, where an exact order of
 * reads would move the entry in the map each time, at more cost than the look-up itself.
 */
export function createResourceCache(maxBytes: number): ResourceCache {
  const entries = new Map<string, Entry>()
  let total = 0

  function drop(id: string, { bytes }: Entry): void {
    total -= bytes
    entries.delete(id)
  }

  function makeRoom(bytes: number): void {
    for (const [id, entry] of entries) {
      if (total + bytes <= maxBytes) return
      if (!entry.isUsed) drop(id, entry)
      else {
        entry.isUsed = false
        // To the end of the map's order, where this loop comes again.
        entries.delete(id)
        entries.set(id, entry)
      }
    }
  }

  return {
    get: (id) => {
      const entry = entries.get(id)
      if (entry) entry.isUsed = true
      return entry?.resource
    },
    put: (resource) => {
      const { id, rendering } = resource
      const bytes = rendering.bytes + BYTES_OF_ENTRY
      const before = entries.get(id)
      if (before) drop(id, before)
      if (bytes > maxBytes) return
      makeRoom(bytes)
      entries.set(id, { resource, bytes, isUsed: false })
      total += bytes
    },
    clear: () => {
      entries.clear()
      total = 0
    },
  }
}
