/** The last good copy of a document of another server. */
export interface RemoteCopy<Value> {
  readonly value: Value
  /** False if the last attempt to read the document has failed. */
  readonly isCurrent: boolean
}

interface Entry<Value> {
  copy: RemoteCopy<Value> | null
  bytes: number
  /** When the last attempt started, in milliseconds. */
  attempted: number
  pending: Promise<void> | null
}

/** A document as it was read. */
export interface ReadDocument<Value> {
  readonly value: Value
  /** Approximate size in memory. */
  readonly bytes: number
}

interface Options {
  readonly now: () => number
  /** Age at which a copy is read again. */
  readonly refreshMs: number
  /** The memory of all copies. The least recently used ones are dropped. */
  readonly maxBytes: number
}

/** An entry without a copy takes memory too. */
const ENTRY_BYTES = 1024

/** Keeps copies of documents. */
export interface RemoteDocuments<Value> {
  /**
   * The copy of a document, or null if none could be read. An old copy is returned immediately and
   * read again in the background.
   */
  get(key: string, read: () => Promise<ReadDocument<Value>>): Promise<RemoteCopy<Value> | null>
}

/** Creates an empty cache of documents. */
export function createRemoteDocuments<Value>(options: Options): RemoteDocuments<Value> {
  const { now, refreshMs, maxBytes } = options
  const entries = new Map<string, Entry<Value>>()
  let total = 0

  async function refresh(
    entry: Entry<Value>,
    read: () => Promise<ReadDocument<Value>>,
  ): Promise<void> {
    entry.attempted = now()
    try {
      const { value, bytes } = await read()
      total += bytes + ENTRY_BYTES - entry.bytes
      entry.bytes = bytes + ENTRY_BYTES
      entry.copy = { value, isCurrent: true }
      evict()
    } catch {
      // The delegate's condition Available reports the failure.
      if (entry.copy) entry.copy = { value: entry.copy.value, isCurrent: false }
    } finally {
      entry.pending = null
    }
  }

  function evict(): void {
    for (const [key, { bytes }] of entries) {
      if (total <= maxBytes || entries.size === 1) return
      entries.delete(key)
      total -= bytes
    }
  }

  function entryOf(key: string): Entry<Value> {
    const entry = entries.get(key) ?? {
      copy: null,
      bytes: ENTRY_BYTES,
      attempted: -Infinity,
      pending: null,
    }
    if (!entries.has(key)) total += ENTRY_BYTES
    // The last entry is the most recently used one.
    entries.delete(key)
    entries.set(key, entry)
    return entry
  }

  return {
    get: async (key, read) => {
      const entry = entryOf(key)
      if (entry.pending === null && now() - entry.attempted >= refreshMs) {
        entry.pending = refresh(entry, read)
      }
      if (entry.copy === null && entry.pending !== null) await entry.pending
      return entry.copy
    },
  }
}
