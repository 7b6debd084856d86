import { createDecipheriv } from 'node:crypto'
import type { EncryptionKey } from 'flotilla/programs'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import {
  ALGORITHM,
  CHUNK_BYTES,
  HEADER_BYTES,
  MAGIC,
  nonceOf,
  TAG_BYTES,
} from './archive-format.ts'
import { archiveContext, archiveKey, type ArchiveOwner } from './archive-key.ts'
import { chunksOfSize } from './chunks-of-size.ts'

/** Decrypts an archive. Every chunk is authentic, in its place, and followed by the rest. */
export async function* decryptArchive(
  source: AsyncIterable<Buffer>,
  master: EncryptionKey,
  owner: ArchiveOwner,
): AsyncGenerator<Buffer> {
  const { header, rest } = await splitHeader(source)
  const key = archiveKey(master, owner, header.subarray(MAGIC.length))
  const context = archiveContext(header, owner)
  let index = 0
  for await (const { bytes, isLast } of chunksOfSize(rest, CHUNK_BYTES + TAG_BYTES)) {
    yield decryptChunk(bytes, { key, nonce: nonceOf(index, isLast), context })
    index += 1
  }
}

interface ChunkCipher {
  readonly key: Buffer
  readonly nonce: Buffer
  /** Authenticated with the chunk. */
  readonly context: Buffer
}

function decryptChunk(bytes: Buffer, { key, nonce, context }: ChunkCipher): Buffer {
  const end = bytes.length - TAG_BYTES
  if (end < 0) throw unreadable()
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(context).setAuthTag(bytes.subarray(end))
  const plain = decipher.update(bytes.subarray(0, end))
  try {
    return Buffer.concat([plain, decipher.final()])
  } catch (cause) {
    throw unreadable(cause)
  }
}

async function splitHeader(
  source: AsyncIterable<Buffer>,
): Promise<{ readonly header: Buffer; readonly rest: AsyncIterable<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]()
  let start = Buffer.alloc(0)
  while (start.length < HEADER_BYTES) {
    const next = await iterator.next()
    if (next.done) throw unreadable()
    start = Buffer.concat([start, next.value])
  }
  const header = start.subarray(0, HEADER_BYTES)
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) throw unreadable()
  return { header, rest: prepend(start.subarray(HEADER_BYTES), iterator) }
}

async function* prepend(first: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield first
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      yield next.value
    }
  } finally {
    await iterator.return?.()
  }
}

function unreadable(cause?: unknown): SandboxDriverError {
  return new SandboxDriverError(
    'DATA_LOSS',
    'the archive cannot be decrypted: it was changed, or its key in SANDBOX_ENCRYPTION_KEYS is another one',
    { reason: 'SnapshotCorrupt', cause },
  )
}
