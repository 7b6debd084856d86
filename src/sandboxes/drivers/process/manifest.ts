import { createHash } from 'node:crypto'
import type { Compression } from '../archives/create-archive.ts'
import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

/** The identity of a sandbox, as in the protocol. */
export interface ManifestSandbox {
  readonly installation: string
  readonly plane: string
  readonly namespace: string
  readonly name: string
  readonly uid: string
}

/** A file of a snapshot. Size and digest are those of the stored bytes, which may be encrypted. */
export interface ManifestArchive {
  readonly name: string
  readonly bytes: number
  readonly sha256: string
  readonly compression: Compression
  /** The id of the key in SANDBOX_ENCRYPTION_KEYS; null if the archive is not encrypted. */
  readonly encryptionKey: string | null
}

/**
 * The file `manifest.json` of a snapshot in a store. A driver writes it after the archives, so a
 * snapshot without a manifest is incomplete.
 */
export interface Manifest {
  readonly format: 1
  readonly driver: string
  readonly snapshotUid: string
  readonly operationId: string
  readonly sandbox: ManifestSandbox
  readonly createdUnixMs: number
  readonly workloadDigest: string
  readonly compatibility: Readonly<Record<string, string>>
  /** The captured folders, such as `workspace` and `volumes/data`. */
  readonly folders: readonly string[]
  readonly archive: ManifestArchive
  /** The memory images of the processes; absent if the snapshot has only files. */
  readonly memory?: ManifestArchive
  /** Path and target of links that point outside. Paths are bytes, decoded as Latin-1. */
  readonly outsideLinks: readonly (readonly [string, string])[]
  readonly skipped: { readonly special: number; readonly foreign: number }
}

/** The archives of a snapshot. */
export function archivesOf({ archive, memory }: Manifest): readonly ManifestArchive[] {
  return memory === undefined ? [archive] : [archive, memory]
}

/** The values of `captured` in the protocol for a snapshot. */
export function capturedIn({ memory }: Manifest): string[] {
  return memory === undefined ? ['filesystem'] : ['filesystem', 'memory']
}

export const MANIFEST_NAME = 'manifest.json'

/** Serializes a manifest. The controller records the digest, and restores only this manifest. */
export function writeManifest(manifest: Manifest): { bytes: Buffer; digest: string } {
  const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  return { bytes, digest: manifestDigest(bytes) }
}

export function manifestDigest(bytes: Buffer): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`
}

/** Parses a manifest. Compare the recorded digest first, if there is one. */
export function readManifest(bytes: Buffer): Manifest {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw corruptManifest('it is not JSON', cause)
  }
  if (!isManifest(value)) throw corruptManifest('its format is unknown')
  return value
}

function isManifest(value: unknown): value is Manifest {
  if (!isObject(value) || value['format'] !== 1) return false
  const { sandbox, archive, memory, folders, outsideLinks, compatibility } = value
  return (
    hasTexts(value, ['driver', 'snapshotUid', 'operationId', 'workloadDigest']) &&
    Number.isSafeInteger(value['createdUnixMs']) &&
    hasTexts(sandbox, ['installation', 'plane', 'namespace', 'name', 'uid']) &&
    isArchive(archive) &&
    (memory === undefined || isArchive(memory)) &&
    isObject(compatibility) &&
    Object.values(compatibility).every(isText) &&
    isList(folders, isText) &&
    isList(outsideLinks, (pair) => isList(pair, isText) && pair.length === 2)
  )
}

function isArchive(value: unknown): boolean {
  if (!hasTexts(value, ['name', 'sha256'])) return false
  const { bytes, compression, encryptionKey } = value
  return (
    Number.isSafeInteger(bytes) &&
    (compression === 'zstd' || compression === 'none') &&
    (encryptionKey === null || isText(encryptionKey))
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function hasTexts(value: unknown, names: readonly string[]): value is Record<string, unknown> {
  return isObject(value) && names.every((name) => isText(value[name]))
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isList(value: unknown, isItem: (item: unknown) => boolean): value is unknown[] {
  return Array.isArray(value) && value.every(isItem)
}

function corruptManifest(problem: string, cause?: unknown): SandboxDriverError {
  return new SandboxDriverError(
    'DATA_LOSS',
    `the manifest of the snapshot is corrupt: ${problem}`,
    {
      reason: 'SnapshotCorrupt',
      cause,
    },
  )
}
