import type { Kind } from '../registry/kind.ts'

type ScalarType = 'text' | 'int32' | 'time'

interface ScalarField {
  readonly type: ScalarType
  /** An unqualified column that is never null. */
  readonly column: string
}

/** What a search over one table may name. */
export interface SearchFields {
  readonly scalars: ReadonlyMap<string, ScalarField>
  /** Whether `labels.<key>` is a field. */
  readonly labels: boolean
  /** Whether `status.conditions.<Type>` is a field. */
  readonly conditions: boolean
}

/** What every kind's resources are searched by. */
export const RESOURCE_FIELDS: SearchFields = Object.freeze<SearchFields>({
  scalars: new Map<string, ScalarField>([
    ['id', { type: 'text', column: 'id' }],
    ['name', { type: 'text', column: 'name' }],
    ['generation', { type: 'int32', column: 'generation' }],
    ['created_time', { type: 'time', column: 'created_time' }],
    ['updated_time', { type: 'time', column: 'updated_time' }],
    ['created_by', { type: 'text', column: 'created_by' }],
    ['updated_by', { type: 'text', column: 'updated_by' }],
  ]),
  labels: true,
  conditions: true,
})

/** What adapters' reports on a resource are searched by. */
export const STATUS_FIELDS: SearchFields = Object.freeze<SearchFields>({
  scalars: new Map<string, ScalarField>([
    ['adapter', { type: 'text', column: 'adapter' }],
    ['observed_generation', { type: 'int32', column: 'observed_generation' }],
  ]),
  labels: false,
  conditions: false,
})

/** What resources of this kind are searched by: the fields of every kind and its own. */
export function fieldsOf(kind: Kind): SearchFields {
  const declared = kind.searchFields.map(
    ({ name, type, column }) => [name, { type, column }] as const,
  )
  return {
    ...RESOURCE_FIELDS,
    scalars: new Map<string, ScalarField>([...RESOURCE_FIELDS.scalars, ...declared]),
  }
}
