import { createHash } from 'node:crypto'

/** Counts and hashes a stream while it passes. */
export interface Fingerprint {
  pass(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer>
  /** Call once, after the stream has ended. */
  result(): { readonly bytes: number; readonly sha256: string }
}

export function createFingerprint(): Fingerprint {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    pass: async function* (source) {
      for await (const chunk of source) {
        hash.update(chunk)
        bytes += chunk.length
        yield chunk
      }
    },
    result: () => ({ bytes, sha256: hash.digest('hex') }),
  }
}
