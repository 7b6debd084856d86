/** Reads parts of a stream. */
export class ByteReader {
  readonly #source: AsyncIterator<Buffer>
  #chunk: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The next bytes; null if the stream ends before. */
  async take(length: number): Promise<Buffer | null> {
    const parts: Buffer[] = []
    let missing = length
    while (missing > 0) {
      const part = await this.#next(missing)
      if (part === null) return null
      parts.push(part)
      missing -= part.length
    }
    return Buffer.concat(parts)
  }

  /** At most this number of bytes; fewer if the stream ends before. */
  async *read(length: number): AsyncGenerator<Buffer> {
    let missing = length
    while (missing > 0) {
      const part = await this.#next(missing)
      if (part === null) return
      missing -= part.length
      yield part
    }
  }

  async #next(length: number): Promise<Buffer | null> {
    while (this.#chunk.length === 0) {
      const { value, done } = await this.#source.next()
      if (done === true) return null
      this.#chunk = value
    }
    const part = this.#chunk.subarray(0, length)
    this.#chunk = this.#chunk.subarray(part.length)
    return part
  }
}
