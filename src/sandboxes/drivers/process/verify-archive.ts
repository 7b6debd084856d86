import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'
import { storeFailure } from '../stores/store-failure.ts'
import { createFingerprint } from './fingerprint.ts'
import type { ManifestArchive } from './manifest.ts'
import type { SnapshotLocation } from './snapshot-location.ts'

/** An archive whose size and digest are those of the manifest. */
export type VerifiedArchive = () => Promise<AsyncIterable<Buffer>>

const READ_BYTES = 1024 * 1024

/**
 * Checks the whole archive before any of it is used. An archive from the network is kept in
 * `spoolFile` meanwhile, so that it is transferred once.
 */
export async function verifyArchive(
  { store, prefix }: SnapshotLocation,
  archive: ManifestArchive,
  { spoolFile, signal }: { readonly spoolFile: string; readonly signal: AbortSignal },
): Promise<VerifiedArchive> {
  const key = `${prefix}${archive.name}`
  const content = await store.get(key, signal)
  if (!content) throw corrupt(`its archive ${archive.name} is missing`)
  const fingerprint = createFingerprint()
  const passed = fingerprint.pass(content)
  try {
    if (store.isRemote) await pipeline(passed, createWriteStream(spoolFile, { mode: 0o600 }))
    else await drain(passed)
  } catch (error) {
    throw storeFailure('read the snapshot', error, signal)
  }
  const { bytes, sha256 } = fingerprint.result()
  if (bytes !== archive.bytes) {
    throw corrupt(`its archive has ${bytes} bytes instead of ${archive.bytes}`)
  }
  if (sha256 !== archive.sha256) throw corrupt('its archive has another SHA-256 than the manifest')
  if (store.isRemote) return async () => createReadStream(spoolFile, { highWaterMark: READ_BYTES })
  return async () => {
    const again = await store.get(key, signal)
    if (!again) throw corrupt(`its archive ${archive.name} is missing`)
    return again
  }
}

async function drain(source: AsyncIterable<Buffer>): Promise<void> {
  const iterator = source[Symbol.asyncIterator]()
  for (let next = await iterator.next(); !next.done; next = await iterator.next());
}

function corrupt(problem: string): SandboxDriverError {
  return new SandboxDriverError('DATA_LOSS', `the snapshot is corrupt: ${problem}`, {
    reason: 'SnapshotCorrupt',
  })
}
