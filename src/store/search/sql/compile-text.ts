import sql, { type Sql } from 'sql-template-tag'
import { column } from './column.ts'
import { conditionReason } from './compile-condition.ts'
import { INDEXED_CHARACTERS, specPrefix, specScalarText, specText } from './compile-spec.ts'
import { lowerAscii } from '../language/lower-ascii.ts'
import type {
  TextCompare,
  TextIn,
  TextLike,
  TextOrSpecOperand,
  TextRange,
} from '../bind/predicate.ts'
import { sqlOperator } from './sql-operator.ts'

/** Compiles comparisons of text. The default escape character of LIKE is the backslash. */
export function compileText(leaf: TextIn | TextRange | TextLike): Sql {
  switch (leaf.type) {
    case 'text-in':
      return leaf.operand.source === 'label' && !leaf.negated
        ? compileLabelIn(leaf.operand.key, leaf.values)
        : compileIn(leaf)
    case 'text-range':
      if (leaf.operand.source === 'spec') return compileSpecRange(leaf, leaf.operand.path)
      return sql`${collated(leaf.operand)} ${sqlOperator(leaf.operator)} ${leaf.value}::text`
    case 'text-like':
      return compileLike(leaf)
  }
}

/** A comparison of two operands of a row. */
export function compileTexts({ operands: [left, right], operator }: TextCompare): Sql {
  return sql`${collated(left)} ${sqlOperator(operator)} (${text(right)})`
}

/** Uses containment, which the GIN index answers. */
function compileLabelIn(key: string, values: readonly string[]): Sql {
  const labels = values.map((value) => JSON.stringify({ [key]: value }))
  return labels.length === 1
    ? sql`labels @> ${labels[0]}::jsonb`
    : sql`labels @> any(${labels}::jsonb[])`
}

/**
 * Membership in a list compares the plain column, which has an index: the binding has removed the
 * empty text that stands for absence.
 */
function compileIn({ operand, values, negated }: TextIn): Sql {
  const [value, second] = values
  const indexed = operand.source === 'column' && !negated
  const compared = indexed ? column(operand.column) : text(operand)
  if (second === undefined) {
    return sql`${compared} ${sqlOperator(negated ? '!=' : '=')} ${value}::text`
  }
  return negated
    ? sql`${compared} <> all(${values}::text[])`
    : sql`${compared} = any(${values}::text[])`
}

function compileLike({ operand, pattern, ignoreCase, negated }: TextLike): Sql {
  const like = negated ? sql`not like` : sql`like`
  if (operand.source === 'spec-text' && !ignoreCase && !negated) {
    const prefix = indexedPrefix(pattern)
    const condition = sql`${text(operand)} like ${pattern}::text`
    if (prefix === '') return condition
    return sql`(${specPrefix(operand.path)} like ${prefix}::text and ${condition})`
  }
  return ignoreCase
    ? sql`lower(${collated(operand)}) ${like} ${lowerAscii(pattern)}::text`
    : sql`${text(operand)} ${like} ${pattern}::text`
}

/** Also compares the first characters, which the index of a declared field has. */
function compileSpecRange({ operand, operator, value }: TextRange, path: readonly string[]): Sql {
  const inclusive = operator.startsWith('<') ? sql`<=` : sql`>=`
  const first = Array.from(value).slice(0, INDEXED_CHARACTERS).join('')
  return sql`(${specPrefix(path)} ${inclusive} ${first}::text
    and ${collated(operand)} ${sqlOperator(operator)} ${value}::text)`
}

/** A pattern of the characters before the first wildcard that the index has; empty if there are none. */
function indexedPrefix(pattern: string): string {
  const parts = pattern.match(/\\.|[^\\]/gsu) ?? []
  const end = parts.findIndex((part) => part === '%' || part === '_')
  const literal = parts.slice(0, end < 0 ? parts.length : end).slice(0, INDEXED_CHARACTERS)
  return literal.length === 0 ? '' : `${literal.join('')}%`
}

function text(operand: TextOrSpecOperand): Sql {
  switch (operand.source) {
    case 'column':
      return operand.absence === 'empty'
        ? sql`nullif(${column(operand.column)}, '')`
        : column(operand.column)
    case 'prefixed':
      return sql`(${operand.prefix}::text || ${column(operand.column)})`
    case 'constant':
      return sql`${operand.value}::text`
    case 'label':
      return sql`labels ->> ${operand.key}::text`
    case 'reason':
      return conditionReason(operand.condition)
    case 'spec':
      return specText(operand.path)
    case 'spec-text':
      return specScalarText(operand.path)
  }
}

/** Orders by code point and folds only ASCII letters, for any collation of the database. */
function collated(operand: TextOrSpecOperand): Sql {
  return operand.source === 'label'
    ? sql`(${text(operand)}) collate "C"`
    : sql`${text(operand)} collate "C"`
}
