/** An artefact in a store. */
export interface StoredObject {
  readonly key: string
  readonly bytes: number
  readonly modifiedMs: number
}

/**
 * Keeps the artefacts of snapshots. Keys are made by `snapshotPrefix`. Failures are
 * SandboxDriverErrors; a full store is RESOURCE_EXHAUSTED.
 */
export interface Store {
  /** Whether reading is a transfer over the network. */
  readonly isRemote: boolean
  /**
   * Writes an artefact durably and replaces an older one. Readers see the whole artefact or none,
   * and a failure leaves nothing.
   */
  put(key: string, content: AsyncIterable<Buffer>, signal: AbortSignal): Promise<number>
  /** Reads an artefact; null if there is none. */
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Buffer> | null>
  /** The size and time of an artefact; null if there is none. */
  head(key: string, signal: AbortSignal): Promise<StoredObject | null>
  /** Lists artefacts below a prefix that ends with `/`, also unfinished ones, in no order. */
  list(prefix: string, signal: AbortSignal): AsyncIterable<StoredObject>
  /** Removes everything below a prefix that ends with `/`, also unfinished artefacts. */
  delete(prefix: string, signal: AbortSignal): Promise<void>
}
