import { createHash } from 'node:crypto'
import { badImage, quote } from './bad-image.ts'

const DIGEST = /^sha256:[0-9a-f]{64}$/

/** A digest of a document, which is also a file name. */
export function checkDigest(digest: unknown): string {
  if (typeof digest === 'string' && DIGEST.test(digest)) return digest
  throw badImage(`${quote(String(digest))} is not a SHA-256 digest`)
}

/** Passes a stream on, and fails at its end if it has another digest. */
export async function* verified(
  source: AsyncIterable<Buffer>,
  digest: string,
  what: string,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of source) {
    hash.update(chunk)
    yield chunk
  }
  const found = `sha256:${hash.digest('hex')}`
  if (found !== digest) throw badImage(`${what} has the digest ${found} instead of ${digest}`)
}
