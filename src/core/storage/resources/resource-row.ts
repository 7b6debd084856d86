import type { JsonObject } from '../../../lib/json/json.ts'
import type { ResourceCondition } from '../../model/condition.ts'
import type { Refs, Resource } from '../../model/resource.ts'

/** The columns of a resource, in the shape in which pg returns them. */
export interface ResourceRow {
  readonly id: string
  readonly tenant: string
  readonly kind: string
  readonly name: string
  readonly owner_id: string
  readonly generation: number
  readonly version: bigint
  readonly spec: JsonObject
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly refs: Refs
  readonly conditions: readonly ResourceCondition[]
  readonly created_time: Date
  readonly updated_time: Date
  readonly created_by: string
  readonly updated_by: string
  readonly deleted_time: Date | null
  readonly deleted_by: string | null
}

/** The select list that fills a ResourceRow. */
export const RESOURCE_COLUMNS = `id, tenant, kind, name, owner_id, generation, version, spec, labels,
  annotations, refs, conditions, created_time, updated_time, created_by, updated_by, deleted_time,
  deleted_by`

/** A row whose specs, labels and annotations are the text that goes out. */
export interface ReadRow extends Omit<ResourceRow, Json> {
  readonly spec: string
  readonly labels: string
  readonly annotations: string
}

const TEXTS: ReadonlySet<string> = new Set(['spec', 'labels', 'annotations'])

/** The columns of a ReadRow as names and expressions. */
export const READ_COLUMN_LIST: readonly { readonly name: string; readonly value: string }[] =
  RESOURCE_COLUMNS.split(',')
    .map((column) => column.trim())
    .map((name) => ({ name, value: TEXTS.has(name) ? `${name}::text` : name }))

/** The select list that fills a ReadRow. */
export const READ_COLUMNS = READ_COLUMN_LIST.map(({ name, value }) => `${value} as ${name}`).join(
  ', ',
)

/** A row as the resource it holds; its JSON is as the row has it. */
export function resourceOf<Row extends Omit<ResourceRow, Json> & Record<Json, unknown>>(
  row: Row,
): Omit<Resource, Json> & Pick<Row, Json> {
  return {
    id: row.id,
    tenant: row.tenant,
    kind: row.kind,
    name: row.name,
    ownerId: row.owner_id,
    generation: row.generation,
    version: row.version,
    spec: row.spec,
    labels: row.labels,
    annotations: row.annotations,
    refs: row.refs,
    conditions: row.conditions,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    deletedTime: row.deleted_time,
    deletedBy: row.deleted_by,
  }
}

type Json = 'spec' | 'labels' | 'annotations'

/** The `{Type: Status}` map of the search column. */
export function conditionMap(
  conditions: readonly ResourceCondition[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(conditions.map((condition) => [condition.type, condition.status]))
}
