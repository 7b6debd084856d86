import { createCipheriv, randomBytes } from 'node:crypto'
import type { EncryptionKey } from 'flotilla/programs'
import { ALGORITHM, CHUNK_BYTES, MAGIC, nonceOf, SALT_BYTES } from './archive-format.ts'
import { archiveContext, archiveKey, type ArchiveOwner } from './archive-key.ts'
import { chunksOfSize } from './chunks-of-size.ts'

/** Encrypts an archive in chunks, so that it never has to be in memory. */
export async function* encryptArchive(
  source: AsyncIterable<Buffer>,
  master: EncryptionKey,
  owner: ArchiveOwner,
): AsyncGenerator<Buffer> {
  const salt = randomBytes(SALT_BYTES)
  const header = Buffer.concat([MAGIC, salt])
  const key = archiveKey(master, owner, salt)
  const context = archiveContext(header, owner)
  yield header
  let index = 0
  for await (const { bytes, isLast } of chunksOfSize(source, CHUNK_BYTES)) {
    const cipher = createCipheriv(ALGORITHM, key, nonceOf(index, isLast)).setAAD(context)
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    index += 1
  }
}
