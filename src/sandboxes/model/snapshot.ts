import {
  type JsonValue,
  objectOf,
  optionalNumber,
  optionalText,
  textMapOf,
  textsOf,
} from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import type { Backend } from './backends/backend.ts'
import { identityOf, type ObjectIdentity } from './object-identity.ts'
import { recordedBackendOf } from './backends/recorded-backend.ts'

const PHASES = ['Creating', 'Ready', 'Failed', 'Consumed', 'Deleting'] as const

export type SnapshotPhase = (typeof PHASES)[number]

/** A Snapshot. */
export interface Snapshot extends ObjectIdentity {
  readonly namespace: string
  readonly isDeleting: boolean
  /** RFC 3339. */
  readonly createdTime: string
  readonly sandbox: { readonly name: string; readonly uid: string | null }
  /** Null if no operation has started to take the snapshot. */
  readonly phase: SnapshotPhase | null
  /** Null before the backend is resolved. */
  readonly backend: Backend | null
  /** ID for the driver. */
  readonly snapshotUid: string | null
  readonly operationId: string | null
  readonly sizeBytes: number | null
  readonly digest: string | null
  readonly captured: readonly string[]
  readonly compatibility: Readonly<Record<string, string>>
  readonly driverMetadata: Readonly<Record<string, string>>
  /** When the data was complete, in RFC 3339. */
  readonly completeTime: string | null
  /** Name of the SandboxRuntime that took the snapshot. */
  readonly runtime: string | null
}

/** Reads a stored Snapshot. */
export function snapshotOf(object: ApiObject): Snapshot {
  const { namespace = '', deletionTimestamp, creationTimestamp = '' } = object.metadata
  const reference = objectOf(objectOf(object['spec'])['sandboxRef'])
  const status = objectOf(object['status'])
  return {
    ...identityOf(object),
    namespace,
    isDeleting: deletionTimestamp !== undefined,
    createdTime: creationTimestamp,
    sandbox: { name: optionalText(reference['name']) ?? '', uid: optionalText(reference['uid']) },
    phase: phaseOf(status['phase']),
    backend: recordedBackendOf(status['backend']),
    snapshotUid: optionalText(status['snapshotUid']),
    operationId: optionalText(status['operationId']),
    sizeBytes: optionalNumber(status['sizeBytes']),
    digest: optionalText(status['digest']),
    captured: textsOf(status['captured']),
    compatibility: textMapOf(status['compatibility']),
    driverMetadata: textMapOf(status['driverMetadata']),
    completeTime: optionalText(status['creationTime']),
    runtime: optionalText(status['runtime']),
  }
}

function phaseOf(value: JsonValue | undefined): SnapshotPhase | null {
  return PHASES.find((phase) => phase === value) ?? null
}
