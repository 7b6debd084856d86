import { isJsonObject } from '../../lib/json/json.ts'
import type { ApiObject } from '../../planes/model/api-object.ts'
import type { DeleteContext, Strategy } from '../../planes/model/native-resource.ts'
import { ADAPTERS_OPTIONAL } from '../model/fleet.ts'
import { DELETION_POLICY, MEMBERS_FINALIZER } from '../types/kplane-group.ts'
import { type FleetRules, fleetErrors } from './fleet-errors.ts'

/** The rules of fleets. The finalizer keeps a deleted fleet until its members are removed. */
export function fleetStrategy(rules: FleetRules): Strategy {
  return {
    prepareCreate: (object) => withAnnotation(withFinalizer(object), true),
    prepareUpdate: (object, old) => {
      const isOptional = old.metadata.annotations?.[ADAPTERS_OPTIONAL] !== undefined
      const kept = withAnnotation(object, isOptional)
      return kept.metadata.deletionTimestamp === undefined ? withFinalizer(kept) : kept
    },
    prepareDelete: withPolicy,
    deletionWarnings,
    validate: (object, old, { subresource }) =>
      subresource === 'status' ? [] : fleetErrors(rules, object, old),
  }
}

function withFinalizer(object: ApiObject): ApiObject {
  const { finalizers = [] } = object.metadata
  if (finalizers.includes(MEMBERS_FINALIZER)) return object
  const kept = [...finalizers, MEMBERS_FINALIZER]
  return { ...object, metadata: { ...object.metadata, finalizers: kept } }
}

/** Fleets keep the annotation for life: a PUT may omit it. */
function withAnnotation(object: ApiObject, isOptional: boolean): ApiObject {
  const { annotations } = object.metadata
  if (!isOptional || annotations?.[ADAPTERS_OPTIONAL] !== undefined) return object
  const kept = { ...annotations, [ADAPTERS_OPTIONAL]: 'true' }
  return { ...object, metadata: { ...object.metadata, annotations: kept } }
}

/** The policy for the members. That of the request has precedence. */
function policyOf({ spec }: ApiObject, { propagationPolicy }: DeleteContext): 'Orphan' | 'Delete' {
  if (propagationPolicy !== undefined) return propagationPolicy === 'Orphan' ? 'Orphan' : 'Delete'
  return isJsonObject(spec) && spec['deletionPolicy'] === 'Delete' ? 'Delete' : 'Orphan'
}

function withPolicy(object: ApiObject, context: DeleteContext): ApiObject {
  const annotations = {
    ...object.metadata.annotations,
    [DELETION_POLICY]: policyOf(object, context),
  }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

/** kubectl sends a policy that deletes members, whatever the spec says. */
function deletionWarnings(object: ApiObject, context: DeleteContext): readonly string[] {
  const { spec, status } = object
  const members = isJsonObject(status) ? Number(status['replicas'] ?? 0) : 0
  const isExpected = isJsonObject(spec) && spec['deletionPolicy'] === 'Delete'
  if (members === 0 || isExpected || policyOf(object, context) === 'Orphan') return []
  const count = members === 1 ? '1 member' : `${members} members`
  return [`${count} of the fleet will be deleted; --cascade=orphan keeps them`]
}
