/** A document as it is sent. */
export interface CachedDocument {
  readonly body: Buffer
  /** With quotation marks. */
  readonly etag: string
}

/** Keeps the documents that were used last, up to a number of bytes. */
export class DocumentCache {
  readonly #maxBytes: number
  readonly #documents = new Map<string, CachedDocument>()
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** The document of a key. Equal keys must have equal documents. */
  get(key: string, create: () => CachedDocument): CachedDocument {
    const cached = this.#documents.get(key)
    if (cached) {
      this.#documents.delete(key)
      this.#documents.set(key, cached)
      return cached
    }
    const document = create()
    this.#documents.set(key, document)
    this.#bytes += document.body.length
    this.#evict()
    return document
  }

  #evict(): void {
    for (const [key, { body }] of this.#documents) {
      if (this.#bytes <= this.#maxBytes) return
      this.#documents.delete(key)
      this.#bytes -= body.length
    }
  }
}
