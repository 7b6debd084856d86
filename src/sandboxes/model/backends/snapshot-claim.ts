import { isJsonObject, type JsonObject, listOf, objectOf, textMapOf, textOf } from 'flotilla'
import type { ApiObject } from 'flotilla/planes'
import { identityOf, type ObjectIdentity } from '../object-identity.ts'

/** The result of binding a claim to a class. */
export interface ClaimBinding {
  /** Whether the binding is that of the current spec. */
  readonly isCurrent: boolean
  readonly isBound: boolean
  /** Explanation for readers. */
  readonly message: string
  /** The class that was found, also before the last change; empty if there was none. */
  readonly className: string
}

/** A SnapshotClaim. */
export interface SnapshotClaim extends ObjectIdentity {
  readonly namespace: string
  readonly isDeleting: boolean
  /** Empty for the default class. */
  readonly requestedClass: string
  readonly parameters: Readonly<Record<string, string>>
  readonly binding: ClaimBinding
}

/** Reads a stored SnapshotClaim, which was validated when it was written. */
export function snapshotClaimOf(object: ApiObject): SnapshotClaim {
  const { namespace = '', generation = 0, deletionTimestamp } = object.metadata
  const spec = objectOf(object['spec'])
  return {
    ...identityOf(object),
    namespace,
    isDeleting: deletionTimestamp !== undefined,
    requestedClass: textOf(spec['snapshotClassName']),
    parameters: textMapOf(spec['parameters']),
    binding: bindingOf(objectOf(object['status']), generation),
  }
}

/** The class that a claim names, or else the one that it was bound to; empty if there is none. */
export function classNameOf({ requestedClass, binding }: SnapshotClaim): string {
  return requestedClass || binding.className
}

function bindingOf(status: JsonObject, generation: number): ClaimBinding {
  const bound = listOf(status['conditions']).find(
    (condition) => isJsonObject(condition) && condition['type'] === 'Bound',
  )
  const { status: state, message } = objectOf(bound)
  return {
    isCurrent: status['observedGeneration'] === generation,
    isBound: state === 'True',
    message: textOf(message),
    className: textOf(status['snapshotClassName']),
  }
}
