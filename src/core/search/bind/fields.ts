import type { RegisteredKind } from '../../registry/kind.ts'

type ScalarType = 'text' | 'int32' | 'time'

interface ScalarField {
  readonly type: ScalarType
  /** An unqualified column. */
  readonly column: string
  /** Whether the column can be null; only a time can. */
  readonly nullable?: true
}

/** What a search over one table may name. */
export interface SearchFields {
  readonly scalars: ReadonlyMap<string, ScalarField>
  /** Whether `labels.<key>` is a field. */
  readonly labels: boolean
  /** Whether `spec.<path>` is a field. */
  readonly spec: boolean
  /** Where `status.conditions.<Type>` is a field: whose reports its times follow. */
  readonly conditions: { readonly requiredAdapters: readonly string[] } | null
}

const EVERY_KIND: ReadonlyMap<string, ScalarField> = new Map<string, ScalarField>([
  ['id', { type: 'text', column: 'id' }],
  ['name', { type: 'text', column: 'name' }],
  ['generation', { type: 'int32', column: 'generation' }],
  ['created_time', { type: 'time', column: 'created_time' }],
  ['updated_time', { type: 'time', column: 'updated_time' }],
  ['deleted_time', { type: 'time', column: 'deleted_time', nullable: true }],
  ['created_by', { type: 'text', column: 'created_by' }],
  ['updated_by', { type: 'text', column: 'updated_by' }],
])

const ACROSS_KINDS: ReadonlyMap<string, ScalarField> = new Map<string, ScalarField>([
  ...EVERY_KIND,
  ['kind', { type: 'text', column: 'kind' }],
  ['owner_id', { type: 'text', column: 'owner_id' }],
])

/** What adapters' reports on a resource are searched by. */
export const STATUS_FIELDS: SearchFields = Object.freeze<SearchFields>({
  scalars: new Map<string, ScalarField>([
    ['adapter', { type: 'text', column: 'adapter' }],
    ['observed_generation', { type: 'int32', column: 'observed_generation' }],
  ]),
  labels: false,
  spec: false,
  conditions: null,
})

/** What resources of this kind are searched by: the fields of every kind and its own. */
export function fieldsOf({ searchFields, requiredAdapters }: RegisteredKind): SearchFields {
  const declared = searchFields.map(({ name, type, column }) => [name, { type, column }] as const)
  return {
    scalars: new Map<string, ScalarField>([...EVERY_KIND, ...declared]),
    labels: true,
    spec: true,
    conditions: { requiredAdapters },
  }
}

/** What resources of all kinds are searched by together, as it is meant for those of this kind. */
export function fieldsAcrossKinds({ requiredAdapters }: RegisteredKind): SearchFields {
  return { scalars: ACROSS_KINDS, labels: true, spec: true, conditions: { requiredAdapters } }
}
