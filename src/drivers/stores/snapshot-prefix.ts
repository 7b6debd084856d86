import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

/** The identity of a snapshot's artefacts in a store. */
export interface SnapshotAddress {
  readonly plane: string
  readonly namespace: string
  readonly sandboxUid: string
  readonly snapshotUid: string
}

/** No separators and no leading dot: a part never leaves its directory. */
const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}$/

/** The prefix of a snapshot's keys. It contains plane, namespace, sandbox and snapshot. */
export function snapshotPrefix(address: SnapshotAddress): string {
  const { plane, namespace, sandboxUid, snapshotUid } = address
  const parts = { plane, namespace, 'sandbox uid': sandboxUid, 'snapshot uid': snapshotUid }
  for (const [name, value] of Object.entries(parts)) {
    if (!PART.test(value)) {
      throw new SandboxDriverError(
        'INVALID_ARGUMENT',
        `the ${name} ${JSON.stringify(value.slice(0, 300))} cannot be part of a storage key: expected letters, digits, dots, hyphens and underscores`,
      )
    }
  }
  return `${Object.values(parts).join('/')}/`
}

/** The address and the artefact's name in a key; null if the key is not one of a snapshot. */
export function readSnapshotKey(key: string): (SnapshotAddress & { readonly name: string }) | null {
  const parts = key.split('/')
  const [plane = '', namespace = '', sandboxUid = '', snapshotUid = '', name = ''] = parts
  if (parts.length !== 5 || !parts.slice(0, 4).every((part) => PART.test(part))) return null
  return { plane, namespace, sandboxUid, snapshotUid, name }
}
