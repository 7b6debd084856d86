import type { Resource } from './resource.ts'

/** The properties of one field of every resource. */
interface ResourceField {
  /** The column of `resources`, which is also the field's name in searches and orders. */
  readonly column: string
  /** The column's type in PostgreSQL. */
  readonly type: 'text' | 'integer' | 'bigint' | 'timestamptz' | 'jsonb' | 'json'
  readonly nullable?: true
  /** Whether creations and patches can set it. */
  readonly patchable?: true
  /**
   * Whether a patch of the field raises the generation; `setting` if a setting of the server
   * decides.
   */
  readonly raisesGeneration?: true | 'setting'
  /** Whether the empty text means that a resource does not have it. */
  readonly emptyIfAbsent?: true
  /** Whether searches can name it. `conditions`, `labels` and `spec` have their own syntax. */
  readonly searchable?: true
  readonly orderable?: true
  /** Whether the log keeps the value before a change, for the searches of watches and for counts. */
  readonly loggedBefore?: true
}

/**
 * The fields of every resource, in the order of the select lists. This table drives statements,
 * searches, orders, creations and patches. Each API has a table of its wire form.
 *
 * To add a field, add a row here and a property to `Resource`, then the column to the Prisma schema
 * and a migration. The compiler then names the remaining places: `resource-row.ts`, `change-row.ts`
 * and the wire table of each API.
 */
export const RESOURCE_FIELDS = {
  id: { column: 'id', type: 'text', searchable: true, orderable: true },
  tenant: { column: 'tenant', type: 'text' },
  kind: { column: 'kind', type: 'text', searchable: true, orderable: true },
  name: { column: 'name', type: 'text', searchable: true, orderable: true },
  ownerId: { column: 'owner_id', type: 'text', emptyIfAbsent: true, searchable: true },
  generation: {
    column: 'generation',
    type: 'integer',
    searchable: true,
    orderable: true,
    loggedBefore: true,
  },
  version: { column: 'version', type: 'bigint' },
  spec: {
    column: 'spec',
    type: 'jsonb',
    patchable: true,
    raisesGeneration: true,
    loggedBefore: true,
  },
  labels: {
    column: 'labels',
    type: 'jsonb',
    patchable: true,
    raisesGeneration: 'setting',
    loggedBefore: true,
  },
  annotations: { column: 'annotations', type: 'jsonb', patchable: true },
  refs: { column: 'refs', type: 'jsonb', patchable: true, raisesGeneration: true },
  conditions: { column: 'conditions', type: 'json', loggedBefore: true },
  requiredAdapters: {
    column: 'required_adapters',
    type: 'jsonb',
    nullable: true,
    loggedBefore: true,
  },
  createdTime: {
    column: 'created_time',
    type: 'timestamptz',
    searchable: true,
    orderable: true,
  },
  updatedTime: {
    column: 'updated_time',
    type: 'timestamptz',
    searchable: true,
    orderable: true,
    loggedBefore: true,
  },
  createdBy: { column: 'created_by', type: 'text', searchable: true, orderable: true },
  updatedBy: {
    column: 'updated_by',
    type: 'text',
    searchable: true,
    orderable: true,
    loggedBefore: true,
  },
  deletedTime: {
    column: 'deleted_time',
    type: 'timestamptz',
    nullable: true,
    searchable: true,
    orderable: true,
    loggedBefore: true,
  },
  deletedBy: {
    column: 'deleted_by',
    type: 'text',
    nullable: true,
    searchable: true,
    orderable: true,
  },
} as const satisfies Record<keyof Resource, ResourceField>

type Fields = typeof RESOURCE_FIELDS
type FieldName = keyof Fields

/** The fields with this property. */
type FieldsWith<Property extends keyof ResourceField> = {
  [Name in FieldName]: Property extends keyof Fields[Name] ? Name : never
}[FieldName]

export type PatchableField = FieldsWith<'patchable'>
export type SearchableField = FieldsWith<'searchable'>
/** The fields whose value before a change is in the log. */
export type LoggedField = FieldsWith<'loggedBefore'>

/** The state that callers declare and can patch. */
export type Desired = Pick<Resource, PatchableField>

/** The columns of `resources`. */
export type Column = Fields[FieldName]['column']
export type OrderableColumn = Fields[FieldsWith<'orderable'>]['column']

const TABLE: Readonly<Record<FieldName, ResourceField & { readonly column: Column }>> =
  RESOURCE_FIELDS

/** The table as a list. */
export const FIELD_LIST = Object.keys(TABLE)
  .filter(isField)
  .map((name) => ({ ...TABLE[name], name }))

export const PATCHABLE_FIELDS = FIELD_LIST.map(({ name }) => name).filter(isPatchable)
export const SEARCHABLE_FIELDS = FIELD_LIST.map(({ name }) => name).filter(isSearchable)
export const ORDERABLE_COLUMNS = FIELD_LIST.map(({ column }) => column).filter(isOrderable)

/** Whether a patch that changes the field raises the generation. */
export function raisesGeneration(field: PatchableField, labelsBumpGeneration: boolean): boolean {
  const { raisesGeneration: raises } = TABLE[field]
  return raises === 'setting' ? labelsBumpGeneration : raises === true
}

function isField(name: string): name is FieldName {
  return Object.hasOwn(TABLE, name)
}

function isPatchable(name: FieldName): name is PatchableField {
  return TABLE[name].patchable === true
}

function isSearchable(name: FieldName): name is SearchableField {
  return TABLE[name].searchable === true
}

/** Whether the log has the field's earlier value. */
export function isLogged(name: SearchableField): name is SearchableField & LoggedField {
  return TABLE[name].loggedBefore === true
}

function isOrderable(column: Column): column is OrderableColumn {
  return FIELD_LIST.some((field) => field.column === column && field.orderable === true)
}
