import { allSteps } from '../../lib/async/steps.ts'
import { changedPaths } from '../../history/changed-paths.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { type BreakdownField, fieldName } from '../breakdown/breakdown-field.ts'
import type { BreakdownRow } from '../breakdown/breakdown-row.ts'
import type { BreakdownQuery, TimedBreakdown } from '../breakdown/breakdowns.ts'
import { rowSearch } from '../breakdown/row-search.ts'
import type { PrecedingChange } from '../storage/read-preceding-changes.ts'

const MAX_PATHS = 10

/** A breakdown on the wire. */
export function breakdownJson(
  { kind, fields, search }: BreakdownQuery,
  { time, total, notReady, failing, isComplete, rows, other, changes }: TimedBreakdown,
): JsonObject {
  const items = rows.map((row) => {
    const found = rowSearch(fields, row)
    const whole = found && [...search.map((text) => `(${text})`), found].join(' and ')
    return { ...rowJson(fields, row), search: whole, change: changeJson(changes.get(row.example)) }
  })
  return {
    kind: 'Breakdown',
    of: kind.kind,
    time: time.toISOString(),
    by: fields.map(fieldName),
    total,
    not_ready: notReady,
    failing,
    waiting: notReady - failing,
    complete: isComplete,
    items,
    other: { ...other },
  }
}

function rowJson(fields: readonly BreakdownField[], row: BreakdownRow): JsonObject {
  const { adapter, reason, values, count, failing, total } = row
  const rest = values.values()
  const entries = fields.map((field) => {
    if (field.type === 'adapter') return ['adapter', adapter] as const
    if (field.type === 'reason') return ['reason', reason] as const
    return [fieldName(field), rest.next().value ?? null] as const
  })
  return {
    values: Object.fromEntries(entries),
    count,
    failing,
    waiting: count - failing,
    total,
    share:
      total === null || total === 0 ? null : Math.min(1, Math.round((count / total) * 1e4) / 1e4),
    last_hour: row.lastHour,
    last_day: row.lastDay,
    oldest: row.oldest,
    newest: row.newest,
    example: row.example,
    generations_behind: row.generationsBehind,
  }
}

function changeJson(change: PrecedingChange | undefined): JsonObject | null {
  if (change === undefined) return null
  const { resource_id: id, name, time, type, author, generation, before, after } = change
  const paths =
    type === 'created' ? [] : allSteps(changedPaths(before, after)).map(({ path }) => path)
  return {
    id,
    name,
    time: time.toISOString(),
    type,
    by: author,
    generation,
    paths: paths.slice(0, MAX_PATHS),
  }
}
