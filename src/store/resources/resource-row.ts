import type { JsonObject } from '../../lib/json/json.ts'
import type { ResourceCondition } from '../model/condition.ts'
import type { Refs, Resource } from '../model/resource.ts'
import { type Column, FIELD_LIST } from '../model/resource-fields.ts'

/** The columns of a resource as pg returns them. */
export interface ResourceRow extends Readonly<Record<Column, unknown>> {
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
  readonly required_adapters: readonly string[] | null
  readonly created_time: Date
  readonly updated_time: Date
  readonly created_by: string
  readonly updated_by: string
  readonly deleted_time: Date | null
  readonly deleted_by: string | null
}

const COLUMNS: readonly Column[] = FIELD_LIST.map(({ column }) => column)

/** The select list of a ResourceRow. */
export const RESOURCE_COLUMNS = COLUMNS.join(', ')

/** A row with spec, labels and annotations as JSON text, ready for a response. */
export interface ReadRow extends Omit<ResourceRow, Json> {
  readonly spec: string
  readonly labels: string
  readonly annotations: string
}

const TEXTS: ReadonlySet<string> = new Set(['spec', 'labels', 'annotations'])

/** The columns of a ReadRow: names and expressions. */
export const READ_COLUMN_LIST = COLUMNS.map((name) => ({
  name,
  value: TEXTS.has(name) ? `${name}::text` : name,
}))

/** The select list of a ReadRow. */
export const READ_COLUMNS = READ_COLUMN_LIST.map(({ name, value }) => `${value} as ${name}`).join(
  ', ',
)

/** Converts a row to the model. JSON stays parsed or text, as in the row. */
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
    requiredAdapters: row.required_adapters,
    createdTime: row.created_time,
    updatedTime: row.updated_time,
    createdBy: row.created_by,
    updatedBy: row.updated_by,
    deletedTime: row.deleted_time,
    deletedBy: row.deleted_by,
  }
}

type Json = 'spec' | 'labels' | 'annotations'

/** The columns of a new row; `cond` is the search column of the conditions. */
export type InsertedColumn = Exclude<Column, 'deleted_time' | 'deleted_by'> | 'cond'

/** Converts a new resource to its row, with JSON as values. */
export function newRow(resource: Resource): Readonly<Record<InsertedColumn, unknown>> {
  return {
    id: resource.id,
    tenant: resource.tenant,
    kind: resource.kind,
    name: resource.name,
    owner_id: resource.ownerId,
    generation: resource.generation,
    version: String(resource.version),
    spec: resource.spec,
    labels: resource.labels,
    annotations: resource.annotations,
    refs: resource.refs,
    conditions: resource.conditions,
    cond: conditionMap(resource.conditions),
    required_adapters: resource.requiredAdapters,
    created_time: resource.createdTime,
    updated_time: resource.updatedTime,
    created_by: resource.createdBy,
    updated_by: resource.updatedBy,
  }
}

/** The columns of `newRow` with their types. */
export const INSERTED_COLUMNS: readonly {
  readonly name: InsertedColumn
  readonly type: string
}[] = [
  ...FIELD_LIST.flatMap(({ column, type }) => {
    return column === 'deleted_time' || column === 'deleted_by' ? [] : { name: column, type }
  }),
  { name: 'cond', type: 'jsonb' },
]

/** The `{Type: Status}` map of the search column. */
export function conditionMap(
  conditions: readonly ResourceCondition[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(conditions.map((condition) => [condition.type, condition.status]))
}
