import sql, { join, type Sql } from 'sql-template-tag'
import { column } from './column.ts'
import { compileConditionIn, compileTime, conditionGeneration } from './compile-condition.ts'
import {
  compileSpecCompare,
  compileSpecIn,
  compileSpecNull,
  compileSpecRange,
} from './compile-spec.ts'
import { compileText, compileTexts } from './compile-text.ts'
import type { ColumnNull, IntIn, IntOperand, Predicate } from '../bind/predicate.ts'
import { sqlOperator } from './sql-operator.ts'

/**
 * The condition of a WHERE clause, safe in combination with AND, OR and NOT. Every value is a
 * parameter with a cast; the statement contains no user input.
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
    case 'text-compare':
      return compileTexts(predicate)
    case 'labels-equal':
      return sql`labels @> ${JSON.stringify(Object.fromEntries(predicate.labels))}::jsonb`
    case 'label-absent':
      return predicate.negated
        ? sql`labels ->> ${predicate.key}::text is not null`
        : sql`labels ->> ${predicate.key}::text is null`
    case 'int-range':
      return sql`${integer(predicate.operand)} ${sqlOperator(predicate.operator)} ${predicate.value}::int4`
    case 'int-in':
      return compileIntIn(predicate)
    case 'int-compare': {
      const [left, right] = predicate.operands
      return sql`${integer(left)} ${sqlOperator(predicate.operator)} ${integer(right)}`
    }
    case 'time-compare':
      return compileTime(predicate)
    case 'times-compare': {
      const [left, right] = predicate.columns
      return sql`${column(left)} ${sqlOperator(predicate.operator)} ${column(right)}`
    }
    case 'column-null':
      return compileColumnNull(predicate)
    case 'spec-in':
      return compileSpecIn(predicate)
    case 'spec-range':
      return compileSpecRange(predicate)
    case 'spec-compare':
      return compileSpecCompare(predicate)
    case 'spec-null':
      return compileSpecNull(predicate.path, predicate.negated)
    case 'condition-in':
      return compileConditionIn(predicate)
    case 'condition-absent':
      return sql`cond ->> ${predicate.condition}::text is null`
  }
}

function compileColumnNull({ column: name, absence, negated }: ColumnNull): Sql {
  if (absence === 'empty') {
    return negated ? sql`${column(name)} <> ''` : sql`${column(name)} = ''`
  }
  return negated ? sql`${column(name)} is not null` : sql`${column(name)} is null`
}

function compileIntIn({ operand, values, negated }: IntIn): Sql {
  const [value, second] = values
  if (second === undefined) {
    return sql`${integer(operand)} ${sqlOperator(negated ? '!=' : '=')} ${value}::int4`
  }
  return negated
    ? sql`${integer(operand)} <> all(${values}::int4[])`
    : sql`${integer(operand)} = any(${values}::int4[])`
}

function integer(operand: IntOperand): Sql {
  return operand.source === 'column'
    ? column(operand.column)
    : conditionGeneration(operand.condition)
}
