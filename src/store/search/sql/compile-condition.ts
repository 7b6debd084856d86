import sql, { type Sql } from 'sql-template-tag'
import { AGGREGATED_TYPES, CURRENT_TYPES } from '../../model/condition.ts'
import { column } from './column.ts'
import {
  isBetweenMicroseconds,
  microsecondText,
  sortableInstant,
} from '../language/instant-text.ts'
import type { Instant } from '../language/time-literal.ts'
import type { ConditionIn, TimeCompare, TimeOperand } from '../bind/predicate.ts'
import { sqlOperator } from './sql-operator.ts'

/** As `timeSources` in `../status/reflect-times.ts` has it. */
const COUNTING = sql`min(last_report_time)`
const CURRENT_OR_COUNTING = sql`coalesce(
      min(last_report_time) filter (where available_generation = resources.generation),
      min(last_report_time))`

type Operator = TimeCompare['operator']
type Update = Extract<TimeOperand, { source: 'update' }>

const TRANSITION_TIME = sql`rtrim(condition ->> 'last_transition_time', 'Z0.')`
const UPDATED_TIME = sql`rtrim(condition ->> 'last_updated_time', 'Z0.')`
const REASON = sql`coalesce(condition ->> 'reason', '')`
const GENERATION = sql`
      case json_typeof(condition -> 'observed_generation')
        when 'number' then (condition ->> 'observed_generation')::numeric
      end`

/** Uses containment, which the GIN index answers. */
export function compileConditionIn({ condition, statuses }: ConditionIn): Sql {
  const maps = statuses.map((status) => JSON.stringify({ [condition]: status }))
  return maps.length === 1 ? sql`cond @> ${maps[0]}::jsonb` : sql`cond @> any(${maps}::jsonb[])`
}

/** A comparison of a time; null if the row lacks it. */
export function compileTime({ operand, operator, value }: TimeCompare): Sql {
  switch (operand.source) {
    case 'column':
      return compareTimes(column(operand.column), operator, value)
    case 'transition':
      return sql`${stored(operand.condition, TRANSITION_TIME)} collate "C" ${sqlOperator(operator)} ${sortableInstant(value)}::text`
    case 'update':
      return compileUpdate(operand, operator, value)
  }
}

/** Compares the report time if there is one, otherwise the stored time of the condition. */
function compileUpdate(operand: Update, operator: Operator, value: Instant): Sql {
  const { condition } = operand
  const sign = sqlOperator(operator)
  const reported = compareTimes(reportTime(operand), operator, value)
  const held = sql`${stored(condition, UPDATED_TIME)} collate "C" ${sign} ${sortableInstant(value)}::text`
  return sql`(cond ->> ${condition}::text is not null and coalesce(${reported}, ${held}))`
}

/** PostgreSQL's times have microseconds. An instant between two of them equals no time. */
function compareTimes(time: Sql, operator: Operator, value: Instant): Sql {
  const isBetween = isBetweenMicroseconds(value)
  const isEquality = operator === '=' || operator === '!='
  const bound = isBetween && isEquality ? 'infinity' : microsecondText(value)
  const sign = sqlOperator(isBetween ? BETWEEN[operator] : operator)
  return sql`${time} ${sign} ${bound}::timestamptz`
}

/** The operator for the microsecond before an instant that is between two. */
const BETWEEN: Readonly<Record<Operator, Operator>> = {
  '=': '=',
  '!=': '!=',
  '<': '<=',
  '<=': '<=',
  '>': '>',
  '>=': '>',
}

/** A condition's generation; null if the row lacks it. */
export function conditionGeneration(condition: string): Sql {
  return stored(condition, GENERATION)
}

/** A condition's reason, '' if it has none; null if the row lacks the condition. */
export function conditionReason(condition: string): Sql {
  return stored(condition, REASON)
}

/** A stored field of a condition; null if the row lacks it. */
function stored(condition: string, part: Sql): Sql {
  return sql`(
    select ${part}
    from json_array_elements(
      case json_typeof(conditions) when 'array' then conditions else '[]' end) as listed (condition)
    where condition ->> 'type' = ${condition}::text
    limit 1)`
}

/**
 * The report time that GET returns instead of the stored `last_updated_time`, or null. Uses the
 * primary key of `adapter_statuses`.
 */
function reportTime({ condition, requiredAdapters }: Update): Sql {
  if (isOneOf(CURRENT_TYPES, condition)) return oldestReport(CURRENT_OR_COUNTING, requiredAdapters)
  if (isOneOf(AGGREGATED_TYPES, condition)) return oldestReport(COUNTING, requiredAdapters)
  return sql`(
    select last_report_time from adapter_statuses
    where resource_id = resources.id and condition_type = ${condition}::text
      and available_generation is not null
    order by ${isRequired(requiredAdapters)} desc, adapter
    limit 1)`
}

function oldestReport(oldest: Sql, requiredAdapters: readonly string[]): Sql {
  return sql`(
    select ${oldest} from adapter_statuses
    where resource_id = resources.id and ${isRequired(requiredAdapters)}
      and available_generation <= resources.generation)`
}

/**
 * Whether the resource requires the adapter of a report: its kind does, unless the resource declares
 * others. A deleted resource with a declaration requires every adapter that has reported.
 */
function isRequired(ofKind: readonly string[]): Sql {
  return sql`case when resources.required_adapters is null then adapter = any(${ofKind}::text[])
    else resources.required_adapters ? adapter or resources.deleted_time is not null end`
}

function isOneOf(types: readonly string[], condition: string): boolean {
  return types.includes(condition)
}
