import { FIELD_LIST } from '../../model/resource-fields.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { TextOperand } from './predicate.ts'

type ScalarType = 'text' | 'int32' | 'time'

/** A searchable column. */
export interface ScalarField {
  readonly type: ScalarType
  /** An unqualified column. */
  readonly column: string
  /** The value that means absence; a row always has the field if there is none. */
  readonly absence?: 'null' | 'empty'
}

/** The fields that a search over one table supports. */
export interface SearchFields {
  readonly scalars: ReadonlyMap<string, ScalarField>
  /** Text fields that are derived from columns or the kind. */
  readonly derived: ReadonlyMap<string, TextOperand>
  /** Whether `labels.<key>` is a field. */
  readonly labels: boolean
  /** Whether `spec.<path>` is a field. */
  readonly spec: boolean
  /**
   * Not null if `status.conditions.<Type>` is a field: the adapters whose reports set its times.
   */
  readonly conditions: { readonly requiredAdapters: readonly string[] } | null
}

const SCALAR_TYPES: ReadonlyMap<string, ScalarType> = new Map<string, ScalarType>([
  ['text', 'text'],
  ['integer', 'int32'],
  ['timestamptz', 'time'],
])

const RESOURCE_SCALARS: ReadonlyMap<string, ScalarField> = new Map(
  FIELD_LIST.flatMap(({ column, type, nullable, searchable, emptyIfAbsent }) => {
    const scalarType = SCALAR_TYPES.get(type)
    if (!searchable || !scalarType) return []
    const field: ScalarField = {
      type: scalarType,
      column,
      ...(nullable && { absence: 'null' }),
      ...(emptyIfAbsent && { absence: 'empty' }),
    }
    return [[column, field] as const]
  }),
)

/** The search fields of adapter statuses. */
export const STATUS_FIELDS: SearchFields = Object.freeze<SearchFields>({
  scalars: new Map<string, ScalarField>([
    ['adapter', { type: 'text', column: 'adapter' }],
    ['observed_generation', { type: 'int32', column: 'observed_generation' }],
  ]),
  derived: new Map(),
  labels: false,
  spec: false,
  conditions: null,
})

/** The search fields of a kind's resources. */
export function fieldsOf(kind: RegisteredKind): SearchFields {
  return {
    scalars: RESOURCE_SCALARS,
    derived: new Map<string, TextOperand>([
      ['href', { source: 'prefixed', prefix: kind.hrefPrefix, column: 'id' }],
      ['owner_kind', { source: 'constant', value: kind.parent?.kind ?? null }],
    ]),
    labels: true,
    spec: true,
    conditions: { requiredAdapters: kind.requiredAdapters },
  }
}
