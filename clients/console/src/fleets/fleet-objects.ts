import { isObject } from '../../../typescript/src/http/json.ts'
import type { Fleet, FleetMember } from '../../../typescript/src/generated/kplane.ts'
import type { KubeMetadata } from '../kube/kube-object.ts'
import { readObjects } from '../kube/read-objects.ts'

/** A fleet that the server has stored, so that it has a name. */
export interface NamedFleet extends Fleet {
  readonly metadata: Fleet['metadata'] & KubeMetadata
}

export const FLEETS_PATH = '/apis/kplane.dev/v1/fleets'

/** Reads the fleets of a page. */
export function readFleets(body: unknown): readonly NamedFleet[] {
  return readObjects<NamedFleet>(body)
}

/** Reads the members of a page. They have no metadata. */
export function readMembers(body: unknown): readonly FleetMember[] {
  const items = isObject(body) ? body['items'] : null
  return Array.isArray(items) ? items.filter(isMember) : []
}

function isMember(value: unknown): value is FleetMember {
  return isObject(value) && typeof value['clusterID'] === 'string'
}
