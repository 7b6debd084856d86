import { type ReadResource, textLength } from '../../model/resource.ts'
import type { SerializedResource } from './representation.ts'

/** Measured memory of an entry's objects, without its bodies and its row. */
const ENTRY_BYTES = 2000

/** Measured memory of a row's objects, without its texts. */
const ROW_BYTES = 3000

/** One version of a resource in the representations that were asked for. */
export interface CachedResource {
  readonly id: string
  readonly tenant: string
  readonly kind: string
  readonly ownerId: string
  readonly version: bigint
  /** By name of the representation. */
  readonly bodies: ReadonlyMap<string, SerializedResource>
  /** The source of further representations; null if the server has only one. */
  readonly row: ReadResource | null
}

/** The latest version read of each resource, by ID. */
export interface ResourceCache {
  /** The number of calls of `clear`. A version that was read before the last one proves nothing. */
  readonly clears: number
  get(id: string): CachedResource | undefined
  put(resource: CachedResource): void
  clear(): void
}

interface Entry {
  readonly resource: CachedResource
  readonly bytes: number
  /** Whether a read has hit the entry since eviction last considered it. */
  isUsed: boolean
}

/**
 * Keeps resources in about `maxBytes` of memory. Readers compare the cached version with the
 * database's before they use it, so a stale entry is never served.
 *
 * Eviction is second chance: a read only sets a mark. Least recently used would move the entry in
 * the map on each read, which costs more than the look-up.
 */
export function createResourceCache(maxBytes: number): ResourceCache {
  const entries = new Map<string, Entry>()
  let total = 0
  let clears = 0

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
        // Moves the entry to the end of the map; this loop reaches it again.
        entries.delete(id)
        entries.set(id, entry)
      }
    }
  }

  return {
    get clears() {
      return clears
    },
    get: (id) => {
      const entry = entries.get(id)
      if (entry) entry.isUsed = true
      return entry?.resource
    },
    put: (resource) => {
      const { id } = resource
      const bytes = sizeOf(resource)
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
      clears += 1
    },
  }
}

function sizeOf({ bodies, row }: CachedResource): number {
  let bytes = ENTRY_BYTES + (row === null ? 0 : ROW_BYTES + textLength(row))
  for (const body of bodies.values()) bytes += body.bytes
  return bytes
}
