import type { Overview, ResourceChange } from '../../../typescript/src/index.ts'
import { breakdownSummary, breakdownTable } from '../breakdown/breakdown-table.ts'
import { age } from '../output/age.ts'
import { type Table, tableLines } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'
import { visibleText } from '../output/visible-text.ts'
import { adapterTable } from './adapter-table.ts'
import type { Breakdowns, KindBreakdown } from './read-breakdowns.ts'

const MAX_CHANGES = 12
const MAX_ADAPTERS = 8

interface Options {
  readonly breakdowns: Breakdowns
  readonly terminal: Terminal
  readonly now: Date
}

/** The overview of a server as text. */
export async function overviewLines(
  overview: Overview,
  { breakdowns, terminal, now }: Options,
): Promise<readonly string[]> {
  const { bold } = terminal.colors
  const titled = async (title: string, table: Table) =>
    table.rows.length === 0 ? [] : ['', bold(title), ...(await tableLines(table, terminal))]
  const brokenLines = async (kind: string, { breakdown, adapters }: KindBreakdown) => [
    ...(typeof breakdown === 'string'
      ? ['', visibleText(breakdown)]
      : await titled(breakdownSummary(breakdown), breakdownTable(breakdown, { now }))),
    ...(await titled(`${kind}: adapters`, adapterTable(adapters.slice(0, MAX_ADAPTERS), now))),
  ]
  return [
    [
      `${rate(overview.reports_per_second)} reports/s`,
      `${rate(overview.changes_per_second)} changes/s`,
      `lag ${overview.feed_lag_seconds.toFixed(1)} s`,
    ].join('   '),
    ...(await titled('Objects', kindTable(overview))),
    ...(await Promise.all([...breakdowns].map(([kind, one]) => brokenLines(kind, one)))).flat(),
    ...(await titled('Last changes', changeTable(overview.recent, now))),
  ]
}

function kindTable({ kinds }: Overview): Table {
  return {
    columns: [
      { header: 'KIND' },
      { header: 'TOTAL' },
      { header: 'READY' },
      { header: 'NOT READY' },
      { header: 'DELETING', rank: 1 },
    ],
    rows: kinds.map((one) => [
      one.kind,
      String(one.total),
      { text: String(one.ready), tone: 'good' },
      { text: String(one.not_ready), tone: one.not_ready > 0 ? 'bad' : null },
      String(one.deleting),
    ]),
  }
}

function changeTable(recent: readonly ResourceChange[], now: Date): Table {
  return {
    columns: [
      { header: 'AGE' },
      { header: 'CHANGE' },
      { header: 'KIND', rank: 2 },
      { header: 'NAME', shrinksTo: 12 },
      { header: 'BY', rank: 1, shrinksTo: 10 },
    ],
    rows: recent
      .slice(0, MAX_CHANGES)
      .map(({ time, type, kind, name, adapter, by }) => [
        age(time, now),
        type,
        kind,
        name,
        adapter ?? by,
      ]),
  }
}

/** Small rates keep a decimal. */
function rate(value: number): string {
  return value < 10 ? value.toFixed(1) : String(Math.round(value))
}
