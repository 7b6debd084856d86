import type { JsonObject } from '../../lib/json/json.ts'
import type { SeriesRange } from '../series/series-window.ts'
import type { TimedSeries } from '../series/series.ts'
import type { SeriesStep } from '../storage/read-series.ts'

/** The values of a field in each step, null without a record. */
type Column = (number | null)[]

/** The recorded past in the format of the API: an array per number. */
export function seriesJson(range: SeriesRange, { window, steps }: TimedSeries): JsonObject {
  const parts = groupsOf(steps).map(({ kind, adapter, rows }) => {
    const column = (valueOf: (step: SeriesStep) => number | null): Column => {
      const values: Column = Array.from({ length: window.steps }, () => null)
      for (const row of rows) values[row.step] = rounded(valueOf(row))
      return values
    }
    return { kind, adapter, column }
  })
  return {
    kind: 'SeriesList',
    range,
    from: window.from.toISOString(),
    to: window.to.toISOString(),
    step_seconds: window.stepSeconds,
    kinds: parts
      .filter(({ adapter }) => adapter === '')
      .map(({ kind, column }) => ({
        kind,
        total: column(({ total }) => total),
        not_ready: column(({ not_ready: count }) => count),
        changes_per_second: column(({ changes_per_second: rate }) => rate),
        reports_per_second: column(({ reports_per_second: rate }) => rate),
      })),
    adapters: parts
      .filter(({ adapter }) => adapter !== '')
      .map(({ adapter, column }) => ({
        adapter,
        waiting: column(({ waiting }) => waiting),
        reports_per_second: column(({ reports_per_second: rate }) => rate),
        latency_seconds: column(({ latency_seconds: seconds }) => seconds),
      })),
  }
}

interface Group extends Pick<SeriesStep, 'kind' | 'adapter'> {
  readonly rows: SeriesStep[]
}

/** The steps of a kind or adapter follow each other. */
function groupsOf(steps: readonly SeriesStep[]): readonly Group[] {
  const groups: Group[] = []
  for (const step of steps) {
    const { kind, adapter } = step
    const last = groups.at(-1)
    if (last?.kind === kind && last.adapter === adapter) last.rows.push(step)
    else groups.push({ kind, adapter, rows: [step] })
  }
  return groups
}

function rounded(value: number | null): number | null {
  return value === null ? null : Math.round(value * 1000) / 1000
}
