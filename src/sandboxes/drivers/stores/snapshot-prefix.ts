import { SandboxDriverError } from '../protocol/sandbox-driver-error.ts'

/** The identity of a snapshot's artefacts in a store. */
export interface SnapshotAddress {
  /** The id of the control plane; empty if it has none. */
  readonly installation: string
  readonly plane: string
  readonly namespace: string
  readonly sandboxUid: string
  readonly snapshotUid: string
}

/** No separators and no leading dot: a part never leaves its directory. */
const PART = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,252}$/

/** Takes the place of an empty installation. */
const NO_INSTALLATION = '-'

/** The prefix of a snapshot's keys. It contains plane, namespace, sandbox and snapshot. */
export function snapshotPrefix(address: SnapshotAddress): string {
  const parts = {
    installation: address.installation || NO_INSTALLATION,
    plane: address.plane,
    namespace: address.namespace,
    'sandbox uid': address.sandboxUid,
    'snapshot uid': address.snapshotUid,
  }
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
  const [first = '', plane = '', namespace = '', sandboxUid = '', snapshotUid = '', name = ''] =
    parts
  if (parts.length !== 6 || !parts.slice(0, 5).every((part) => PART.test(part))) return null
  const installation = first === NO_INSTALLATION ? '' : first
  return { installation, plane, namespace, sandboxUid, snapshotUid, name }
}
