import { textMapOf, textOf, textsOf } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import type { ReclaimPolicy } from './backend.ts'
import { identityOf, type ObjectIdentity } from '../object-identity.ts'

/** A SnapshotClass. */
export interface SnapshotClass extends ObjectIdentity {
  readonly isDeleting: boolean
  /** Whether claims without a class use this one. */
  readonly isDefault: boolean
  readonly driver: string
  readonly parameters: Readonly<Record<string, string>>
  /** Names of parameters that a claim may not set. */
  readonly lockedParameters: readonly string[]
  readonly reclaimPolicy: ReclaimPolicy
}

/** The annotation of the SnapshotClass for claims that name none. */
export const DEFAULT_CLASS_ANNOTATION = 'snapshotclass.agents.x-k8s.io/is-default-class'

/** Reads a stored SnapshotClass, which was validated when it was written. */
export function snapshotClassOf(object: ApiObject): SnapshotClass {
  const { metadata } = object
  return {
    ...identityOf(object),
    isDeleting: metadata.deletionTimestamp !== undefined,
    isDefault: metadata.annotations?.[DEFAULT_CLASS_ANNOTATION] === 'true',
    driver: textOf(object['provisioner']),
    parameters: textMapOf(object['parameters']),
    lockedParameters: textsOf(object['lockedParameters']),
    reclaimPolicy: object['reclaimPolicy'] === 'Retain' ? 'Retain' : 'Delete',
  }
}

/** The classes that claims without a class could get. */
export function defaultClasses(classes: readonly SnapshotClass[]): readonly SnapshotClass[] {
  return classes.filter(({ isDefault, isDeleting }) => isDefault && !isDeleting)
}
