import type { ApiObject } from '../../../planes/model/api-object.ts'
import type { ClaimState, ClassState } from './decide-binding.ts'
import { objectOf, textOf } from '../../../lib/json/json-fields.ts'

/** The annotation that makes a SnapshotClass the default of its plane. */
const IS_DEFAULT = 'snapshotclass.agents.x-k8s.io/is-default-class'

/** Reads a SnapshotClaim, which admission has validated. */
export function observedClaim({ spec, status }: ApiObject): ClaimState {
  const { snapshotClassName, parameters } = objectOf(spec)
  return {
    requestedClass: textOf(snapshotClassName),
    boundClass: textOf(objectOf(status)['snapshotClassName']),
    parameters: Object.keys(objectOf(parameters)),
  }
}

/** Reads a SnapshotClass, which admission has validated. */
export function observedClass({ metadata, lockedParameters }: ApiObject): ClassState {
  const locked = Array.isArray(lockedParameters) ? lockedParameters : []
  return {
    name: metadata.name ?? '',
    isDefault: metadata.annotations?.[IS_DEFAULT] === 'true',
    isDeleting: metadata.deletionTimestamp !== undefined,
    lockedParameters: locked.filter((key) => typeof key === 'string'),
  }
}
