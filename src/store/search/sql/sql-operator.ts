import sql, { type Sql } from 'sql-template-tag'
import type { ComparisonOperator } from '../language/expression.ts'

const OPERATORS: Readonly<Record<ComparisonOperator, Sql>> = Object.freeze({
  '=': sql`=`,
  '!=': sql`<>`,
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
})

/** The operator in SQL. */
export function sqlOperator(operator: ComparisonOperator): Sql {
  return OPERATORS[operator]
}
