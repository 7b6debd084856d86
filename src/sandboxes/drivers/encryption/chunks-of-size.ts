/** A chunk of a stream. */
export interface SizedChunk {
  readonly bytes: Buffer
  readonly isLast: boolean
}

/** Regroups a stream into chunks of a fixed size. Only the last one, which always comes, is shorter. */
export async function* chunksOfSize(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<SizedChunk> {
  let parts: Buffer[] = []
  let length = 0
  for await (const part of source) {
    let rest = part
    // A full chunk waits for the next byte, which shows that it is not the last one.
    while (length + rest.length > size) {
      parts.push(rest.subarray(0, size - length))
      rest = rest.subarray(size - length)
      yield { bytes: Buffer.concat(parts), isLast: false }
      parts = []
      length = 0
    }
    parts.push(rest)
    length += rest.length
  }
  yield { bytes: Buffer.concat(parts), isLast: true }
}
