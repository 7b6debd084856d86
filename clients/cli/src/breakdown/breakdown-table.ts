import type { Breakdown, BreakdownRow } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import type { ListColumn } from '../output/print-list.ts'
import type { Table } from '../output/table.ts'

interface Choice {
  readonly now: Date
  readonly wide?: boolean
  /** The maximum number of rows. */
  readonly rows?: number
}

/** The rows of a breakdown as a table: failing causes first. */
export function breakdownTable(
  { items, by }: Pick<Breakdown, 'items' | 'by'>,
  { now, wide = false, rows = items.length }: Choice,
): Table {
  const columns = columnsOf(by).filter((column) => wide || column.wide !== true)
  return {
    columns,
    rows: items.slice(0, rows).map((row) => columns.map(({ cell }) => cell(row, now))),
  }
}

function columnsOf(by: readonly string[]): readonly ListColumn<BreakdownRow>[] {
  return [
    { header: 'COUNT', cell: ({ count }) => String(count) },
    {
      header: 'STATE',
      cell: ({ failing }) =>
        failing > 0 ? { text: 'failing', tone: 'bad' } : { text: 'waiting', tone: 'warning' },
    },
    ...by.map((field): ListColumn<BreakdownRow> => ({
      header: field.toUpperCase(),
      shrinksTo: 8,
      cell: ({ values }) => values[field] ?? { text: '-', tone: 'quiet' },
    })),
    { header: 'SHARE', rank: 2, cell: ({ share }) => percent(share) },
    { header: 'LAST HOUR', rank: 3, cell: ({ last_hour: hour }) => String(hour) },
    { header: 'LAST DAY', rank: 1, cell: ({ last_day: day }) => String(day) },
    { header: 'OLDEST', cell: ({ oldest }, now) => age(oldest, now) },
    { header: 'CHANGE BEFORE', rank: 4, shrinksTo: 14, wide: true, cell: changeOf },
    { header: 'SEARCH', rank: 5, shrinksTo: 20, wide: true, cell: ({ search }) => search ?? '-' },
  ]
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)}%`
}

/** The last change of the newest resource before it was not ready. */
function changeOf({ change }: BreakdownRow): string {
  if (change === null) return '-'
  const { type, by, paths } = change
  return `${paths.length > 0 ? paths.join(',') : type} by ${by}`
}

/** The state of a kind in one line. */
export function breakdownSummary({ of, total, not_ready: notReady, failing, waiting }: Breakdown) {
  if (total === 0) return `${of}: none exist`
  const all = total === null ? '' : ` of ${total}`
  if (notReady === 0) return `${of}: all${all} ready`
  return `${of}: ${failing} failing and ${waiting} waiting${all}`
}
