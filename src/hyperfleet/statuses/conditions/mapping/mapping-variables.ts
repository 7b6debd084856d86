import type { JsonObject } from '../../../../lib/json/json.ts'
import { mappingValueOf } from '../../../../lib/cel/mapping-value.ts'
import type { Variables } from '../../../../lib/cel/compile-expression.ts'
import type { StatusRecord } from '../../../../store/model/status-record.ts'
import type { Resource } from '../../../../store/model/resource.ts'
import { decodeTenant, NO_TENANT } from '../../../../access/tenant.ts'

/** The fields of a resource that mappings can use. */
export type MappedResource = Pick<
  Resource,
  | 'id'
  | 'tenant'
  | 'kind'
  | 'name'
  | 'ownerId'
  | 'generation'
  | 'spec'
  | 'labels'
  | 'annotations'
  | 'createdTime'
  | 'deletedTime'
>

/** The fields of a report that mappings can use. */
export type MappedReport = Pick<
  StatusRecord,
  'adapter' | 'observedGeneration' | 'conditions' | 'data'
>

/** The variables of a kind's expressions: `resource`, and `statuses` sorted by adapter. */
export function mappingVariables(
  resource: MappedResource,
  reports: readonly MappedReport[],
): Variables {
  const sorted = reports.toSorted((one, other) => (one.adapter < other.adapter ? -1 : 1))
  return {
    resource: mappingValueOf(resourceVariable(resource)),
    statuses: sorted.map(statusVariable),
  }
}

function resourceVariable(resource: MappedResource): JsonObject {
  const { id, kind, name, generation, spec, labels, annotations, ownerId } = resource
  const { createdTime, deletedTime, tenant } = resource
  return {
    id,
    kind,
    name,
    generation,
    spec,
    labels,
    metadata: { labels, annotations },
    ...(tenant !== NO_TENANT && { tenancy: decodeTenant(tenant) }),
    created_time: createdTime.toISOString(),
    ...(ownerId !== '' && { owner_id: ownerId }),
    ...(deletedTime && { deleted_time: deletedTime.toISOString() }),
  }
}

/** Unknown carries no information, so expressions never see it. */
function statusVariable({ adapter, observedGeneration, conditions, data }: MappedReport) {
  const shown = conditions
    .filter(({ status }) => status !== 'Unknown')
    .map(({ type, status, reason = '', message = '' }) => ({ type, status, reason, message }))
  return mappingValueOf({
    adapter,
    observed_generation: observedGeneration,
    conditions: shown,
    data,
  })
}
