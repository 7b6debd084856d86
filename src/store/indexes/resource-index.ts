import { createHash } from 'node:crypto'
import { INDEXED_CHARACTERS } from '../search/sql/compile-spec.ts'
import type { DeclaredField, IndexedField } from './indexed-field.ts'

/** An index of `resources` that servers build while others write. */
export interface ResourceIndex {
  readonly name: string
  /** The part of `create index` after the table. */
  readonly definition: string
}

/** Names of the indexes of declared fields. Servers drop those that are no longer declared. */
export const DECLARED = 'resources_declared_'

/** The indexes of a declared field. */
export function indexesOf(field: DeclaredField): readonly ResourceIndex[] {
  if ('path' in field) return indexesOfSpec(field)
  const { kind, column } = field
  // The setting allows only letters and digits in kinds.
  const definition = `(${column} desc, id desc)
    where kind = '${kind}'`
  return [{ name: `${DECLARED}${digestOf(`${kind}:${column}`)}_time`, definition }]
}

/**
 * The indexes of a field: equality of JSON, order of numbers, order and prefixes of text. The
 * expressions equal those of compiled searches, otherwise PostgreSQL does not use them. None can
 * reject a value: a hash has a fixed size, and numbers and prefixes are short. They are not partial,
 * because the planner ignores the statistics of partial indexes.
 */
function indexesOfSpec({ kind, path }: IndexedField): readonly ResourceIndex[] {
  // The setting allows only letters, digits, hyphens and underscores.
  const keys = `'{${path.map((key) => `"${key}"`).join(',')}}'::text[]`
  const value = `spec #> ${keys}`
  const number = `case when jsonb_typeof(${value}) = 'number'::text then ${value} end`
  const scalar = `case when jsonb_typeof(${value}) in ('string', 'number', 'boolean')
    then spec #>> ${keys} end`
  const prefix = `left((${scalar}), ${INDEXED_CHARACTERS}) collate "C"`
  const digest = digestOf(`${kind}:${path.join('.')}`)
  const named = (part: string, columns: string): ResourceIndex => {
    return { name: `${DECLARED}${digest}_${part}`, definition: columns }
  }
  return [
    named('value', `using hash ((${value}))`),
    named('number', `(kind, (${number}))`),
    named('text', `(kind, (${prefix}))`),
  ]
}

function digestOf(field: string): string {
  return createHash('sha256').update(field).digest('hex').slice(0, 16)
}
