import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import { type Manifest, MANIFEST_NAME, manifestDigest, readManifest } from './manifest.ts'
import type { SnapshotLocation } from './snapshot-location.ts'

/** A complete snapshot. */
export interface StoredSnapshot {
  readonly manifest: Manifest
  readonly digest: string
  /** Size of the manifest. */
  readonly manifestBytes: number
}

/** A manifest lists at most 10 000 links of 8 KiB each. */
const MAX_MANIFEST_BYTES = 128 * 1024 * 1024

/**
 * Reads the manifest of a snapshot; null if there is none. Checks that it belongs to the snapshot
 * and has the digest that the caller recorded, if that is known.
 */
export async function readSnapshot(
  { store, prefix, owner }: SnapshotLocation,
  expectedDigest: string,
  signal: AbortSignal,
): Promise<StoredSnapshot | null> {
  const content = await store.get(`${prefix}${MANIFEST_NAME}`, signal)
  if (!content) return null
  const bytes = await readAll(content)
  const digest = manifestDigest(bytes)
  if (expectedDigest !== '' && digest !== expectedDigest) {
    throw corrupt(`its manifest has the digest ${digest} instead of ${expectedDigest}`)
  }
  const manifest = readManifest(bytes)
  const belongs =
    manifest.snapshotUid === owner.snapshotUid && manifest.sandbox.uid === owner.sandboxUid
  if (!belongs) throw corrupt('its manifest belongs to another snapshot')
  return { manifest, digest, manifestBytes: bytes.length }
}

async function readAll(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of content) {
    chunks.push(chunk)
    length += chunk.length
    if (length > MAX_MANIFEST_BYTES) throw corrupt('its manifest is too large')
  }
  return Buffer.concat(chunks)
}

function corrupt(problem: string): SandboxDriverError {
  return new SandboxDriverError('DATA_LOSS', `the snapshot is corrupt: ${problem}`, {
    reason: 'SnapshotCorrupt',
  })
}
