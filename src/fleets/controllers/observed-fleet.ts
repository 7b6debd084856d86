import type { ApiObject } from '../../planes/model/api-object.ts'
import type { FleetRef } from '../members/fleet-members.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { numberOf, objectOf } from '../../lib/json/json-fields.ts'

/** The treatment of members that leave a fleet. */
export type MemberPolicy = 'Delete' | 'Orphan'

/** How a change of the content reaches existing members. */
export type UpdateStrategy =
  | { readonly type: 'OnReplenish' | 'Recreate' }
  | { readonly type: 'RollingUpdate'; readonly maxUnavailable: number | string }

/** The events that start the time to live. */
export type TtlStart = 'Created' | 'Ready' | 'Claimed'

/** The fields of a Fleet that its controller decides by. */
export interface ObservedFleet {
  readonly object: ApiObject
  readonly ref: FleetRef
  readonly isDeleting: boolean
  readonly isPaused: boolean
  /** The size that the spec names. Claims may need more members. */
  readonly replicas: number
  readonly minReady: number
  readonly scaleDownPolicy: MemberPolicy
  /** The policy of the delete call, or that of the spec. */
  readonly deletionPolicy: MemberPolicy
  readonly updateStrategy: UpdateStrategy
  readonly ttl: { readonly seconds: number; readonly from: TtlStart } | null
  /** Empty if the spec has its content itself. */
  readonly scenario: string
  readonly status: JsonObject
}

/** The annotation in which the server stores the policy of a delete call. */
const DELETION_POLICY = 'kplane.dev/deletion-policy'
const DEFAULT_MAX_UNAVAILABLE = '25%'

/** Reads a Fleet, which admission has validated. */
export function observedFleet(object: ApiObject): ObservedFleet {
  const { name = '', uid = '', generation = 0, annotations, deletionTimestamp } = object.metadata
  const spec = objectOf(object['spec'])
  const { ttlSeconds } = spec
  return {
    object,
    ref: { name, uid, generation },
    isDeleting: deletionTimestamp !== undefined,
    isPaused: spec['paused'] === true,
    replicas: numberOf(spec['replicas']),
    minReady: numberOf(spec['minReady']),
    scaleDownPolicy: policyOf(spec['scaleDownPolicy']),
    deletionPolicy: policyOf(annotations?.[DELETION_POLICY] ?? spec['deletionPolicy']),
    updateStrategy: strategyOf(objectOf(spec['updateStrategy'])),
    ttl: typeof ttlSeconds === 'number' ? { seconds: ttlSeconds, from: ttlStart(spec) } : null,
    scenario: scenarioOf(spec),
    status: objectOf(object['status']),
  }
}

function policyOf(value: JsonValue | undefined): MemberPolicy {
  return value === 'Delete' ? 'Delete' : 'Orphan'
}

function strategyOf({ type, rollingUpdate }: JsonObject): UpdateStrategy {
  if (type === 'Recreate') return { type }
  if (type !== 'RollingUpdate') return { type: 'OnReplenish' }
  const { maxUnavailable } = objectOf(rollingUpdate)
  const isBound = typeof maxUnavailable === 'number' || typeof maxUnavailable === 'string'
  return { type, maxUnavailable: isBound ? maxUnavailable : DEFAULT_MAX_UNAVAILABLE }
}

function ttlStart({ ttlFrom }: JsonObject): TtlStart {
  return ttlFrom === 'Ready' || ttlFrom === 'Claimed' ? ttlFrom : 'Created'
}

function scenarioOf({ template }: JsonObject): string {
  const reference = objectOf(template)['scenarioRef']
  if (typeof reference === 'string') return reference
  const { name } = objectOf(reference)
  return typeof name === 'string' ? name : ''
}
