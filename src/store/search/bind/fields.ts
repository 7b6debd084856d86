import { FIELD_LIST } from '../../model/resource-fields.ts'
import type { RegisteredKind } from '../../registry/kind.ts'

type ScalarType = 'text' | 'int32' | 'time'

/** A searchable column. */
export interface ScalarField {
  readonly type: ScalarType
  /** An unqualified column. */
  readonly column: string
  /** Whether the column can be null; only a time can. */
  readonly nullable?: true
}

/** The fields that a search over one table supports. */
export interface SearchFields {
  readonly scalars: ReadonlyMap<string, ScalarField>
  /** Whether `labels.<key>` is a field. */
  readonly labels: boolean
  /** Whether `spec.<path>` is a field. */
  readonly spec: boolean
  /**
   * Not null if `status.conditions.<Type>` is a field: the adapters whose reports set its times.
   */
  readonly conditions: { readonly requiredAdapters: readonly string[] } | null
}

/** The columns that searches can name, by their names: in every list, or across kinds too. */
function scalarsOf(
  searches: readonly ('in every list' | 'across kinds')[],
): ReadonlyMap<string, ScalarField> {
  const found = FIELD_LIST.flatMap(({ column, type, nullable, searchable }) => {
    const scalarType = SCALAR_TYPES.get(type)
    if (!searchable || !scalarType || !searches.includes(searchable)) return []
    const field: ScalarField = { type: scalarType, column, ...(nullable && { nullable }) }
    return [[column, field] as const]
  })
  return new Map(found)
}

const SCALAR_TYPES: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ['text', 'text'],
  ['integer', 'int32'],
  ['timestamptz', 'time'],
])

const EVERY_KIND = scalarsOf(['in every list'])
const ACROSS_KINDS = scalarsOf(['in every list', 'across kinds'])

/** The search fields of adapter statuses. */
export const STATUS_FIELDS: SearchFields = Object.freeze<SearchFields>({
  scalars: new Map<string, ScalarField>([
    ['adapter', { type: 'text', column: 'adapter' }],
    ['observed_generation', { type: 'int32', column: 'observed_generation' }],
  ]),
  labels: false,
  spec: false,
  conditions: null,
})

/** The search fields of a kind: the fields of every kind, and those that it declares. */
export function fieldsOf({ searchFields, requiredAdapters }: RegisteredKind): SearchFields {
  const declared = searchFields.map(({ name, type, column }) => [name, { type, column }] as const)
  return {
    scalars: new Map<string, ScalarField>([...EVERY_KIND, ...declared]),
    labels: true,
    spec: true,
    conditions: { requiredAdapters },
  }
}

/** The search fields of the list of all kinds, bound for the resources of one kind. */
export function fieldsAcrossKinds({ requiredAdapters }: RegisteredKind): SearchFields {
  return { scalars: ACROSS_KINDS, labels: true, spec: true, conditions: { requiredAdapters } }
}
