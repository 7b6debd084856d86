import sql, { raw, type Sql } from 'sql-template-tag'
import type { SpecCompare, SpecIn, SpecRange } from '../bind/predicate.ts'
import { sqlOperator } from './sql-operator.ts'

/** Characters of a text in an index: PostgreSQL rejects entries of more than 2704 bytes. */
export const INDEXED_CHARACTERS = 200

/**
 * Compares values in the spec as JSON without casts, which could fail on stored values of other
 * types, in any order of evaluation. JSON null is a value, so the negation also checks for it.
 */
export function compileSpecIn({ path, values, negated }: SpecIn): Sql {
  const [value, second] = values
  if (negated) {
    const unequal =
      second === undefined
        ? sql`${at(path)} <> ${value}::jsonb`
        : sql`${at(path)} <> all(${values}::jsonb[])`
    return sql`(${compileSpecNull(path, true)} and ${unequal})`
  }
  return second === undefined
    ? sql`${at(path)} = ${value}::jsonb`
    : sql`${at(path)} = any(${values}::jsonb[])`
}

/** jsonb orders numbers by value. The expression is that of the index of a declared field. */
export function compileSpecRange({ path, operator, value }: SpecRange): Sql {
  const number = sql`(case when ${isOfType(path, 'number')} then ${at(path)} end)`
  return sql`${number} ${sqlOperator(operator)} ${value}::jsonb`
}

/** Compares two values as numbers. */
export function compileSpecCompare({ paths: [left, right], operator }: SpecCompare): Sql {
  return sql`(${isOfType(left, 'number')} and ${isOfType(right, 'number')}
    and ${at(left)} ${sqlOperator(operator)} ${at(right)})`
}

/** The text, number or boolean at a path in the spec, as text; null if there is none. */
export function specScalarText(path: readonly string[]): Sql {
  return sql`(case when jsonb_typeof(${at(path)}) in ('string', 'number', 'boolean')
    then spec #>> ${path}::text[] end)`
}

/**
 * The first characters of the scalar text: the expression of the index of a declared field. A search
 * for a range or a prefix of text adds a comparison of it.
 */
export function specPrefix(path: readonly string[]): Sql {
  return sql`left(${specScalarText(path)}, ${raw(String(INDEXED_CHARACTERS))}) collate "C"`
}

/** The text at a path in the spec; null if there is none. */
export function specText(path: readonly string[]): Sql {
  return sql`(case when ${isOfType(path, 'string')} then spec #>> ${path}::text[] end)`
}

/** Whether the value is absent or JSON null. */
export function compileSpecNull(path: readonly string[], negated: boolean): Sql {
  return negated ? sql`spec #>> ${path}::text[] is not null` : sql`spec #>> ${path}::text[] is null`
}

function isOfType(path: readonly string[], type: 'string' | 'number'): Sql {
  return sql`jsonb_typeof(${at(path)}) = ${type}::text`
}

function at(path: readonly string[]): Sql {
  return sql`spec #> ${path}::text[]`
}
