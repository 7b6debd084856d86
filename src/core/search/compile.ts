import sql, { join, type Sql } from 'sql-template-tag'
import { column } from './column.ts'
import { compileText } from './compile-text.ts'
import type { ConditionIn, Instant, IntIn, Predicate } from './predicate.ts'
import { sqlOperator } from './sql-operator.ts'

/**
 * The condition of a WHERE clause, safe to stand beside AND, OR and NOT. Every value is a
 * parameter with its cast; no byte of the user's text is part of the statement.
 */
export function compile(predicate: Predicate): Sql {
  switch (predicate.type) {
    case 'true':
      return sql`true`
    case 'false':
      return sql`false`
    case 'and':
    case 'or':
      return join(predicate.operands.map(compile), ` ${predicate.type} `, '(', ')')
    case 'text-in':
    case 'text-range':
    case 'text-like':
      return compileText(predicate)
    case 'labels-equal':
      return sql`labels @> ${JSON.stringify(Object.fromEntries(predicate.labels))}::jsonb`
    case 'label-absent':
      return predicate.negated
        ? sql`labels ->> ${predicate.key}::text is not null`
        : sql`labels ->> ${predicate.key}::text is null`
    case 'int-range':
      return sql`${column(predicate.column)} ${sqlOperator(predicate.operator)} ${predicate.value}::int4`
    case 'int-in':
      return compileIntIn(predicate)
    case 'time-compare':
      return sql`${column(predicate.column)} ${sqlOperator(predicate.operator)} ${isoText(predicate.value)}::timestamptz`
    case 'condition-in':
      return compileConditionIn(predicate)
    case 'condition-absent':
      return sql`cond ->> ${predicate.condition}::text is null`
  }
}

function compileIntIn({ column: name, values, negated }: IntIn): Sql {
  const [value, second] = values
  if (second === undefined)
    return sql`${column(name)} ${sqlOperator(negated ? '!=' : '=')} ${value}::int4`
  return negated
    ? sql`${column(name)} <> all(${values}::int4[])`
    : sql`${column(name)} = any(${values}::int4[])`
}

function compileConditionIn({ condition, statuses }: ConditionIn): Sql {
  const maps = statuses.map((status) => JSON.stringify({ [condition]: status }))
  return maps.length === 1 ? sql`cond @> ${maps[0]}::jsonb` : sql`cond @> any(${maps}::jsonb[])`
}

/** ISO 8601 in UTC; an instant between two milliseconds is written half-way, which orders alike. */
function isoText({ millisecond, between }: Instant): string {
  const text = new Date(millisecond).toISOString()
  return between ? text.replace('Z', '5Z') : text
}
