import { hkdfSync } from 'node:crypto'
import type { EncryptionKey } from 'flotilla/programs'

/** The owner of an encrypted archive. */
export interface ArchiveOwner {
  readonly installation: string
  readonly plane: string
  readonly namespace: string
  readonly sandboxUid: string
  readonly snapshotUid: string
}

const KEY_BYTES = 32

/**
 * The key of one archive. It depends on the namespace, so that a namespace's key opens no other
 * archives, and on a random salt, so that nonces may start at zero.
 */
export function archiveKey(master: EncryptionKey, owner: ArchiveOwner, salt: Buffer): Buffer {
  const { installation, plane, namespace } = owner
  const info = JSON.stringify(['flotilla sandbox archive', installation, plane, namespace])
  return Buffer.from(hkdfSync('sha256', master.key, salt, info, KEY_BYTES))
}

/** Authenticated with every chunk: an archive cannot take the place of another one. */
export function archiveContext(header: Buffer, owner: ArchiveOwner): Buffer {
  const { sandboxUid, snapshotUid } = owner
  return Buffer.concat([header, Buffer.from(JSON.stringify([sandboxUid, snapshotUid]))])
}
