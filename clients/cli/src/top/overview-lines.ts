import type { Overview, ResourceChange } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import { type Table, tableLines } from '../output/table.ts'
import type { Terminal } from '../output/terminal.ts'

const MAX_REASONS = 8
const MAX_CHANGES = 12

interface Options {
  readonly terminal: Terminal
  readonly now: Date
}

/** The overview of a server as text. */
export async function overviewLines(
  overview: Overview,
  { terminal, now }: Options,
): Promise<readonly string[]> {
  const { bold } = terminal.colors
  const titled = async (title: string, table: Table) =>
    table.rows.length === 0 ? [] : ['', bold(title), ...(await tableLines(table, terminal))]
  return [
    [
      `${rate(overview.reports_per_second)} reports/s`,
      `${rate(overview.changes_per_second)} changes/s`,
      `lag ${overview.feed_lag_seconds.toFixed(1)} s`,
    ].join('   '),
    ...(await titled('Objects', kindTable(overview))),
    ...(await titled('Not ready, by reason', reasonTable(overview))),
    ...(await titled('Waiting for adapters', adapterTable(overview))),
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

/** Servers can be set to hide Ready; Reconciled is then the same condition. */
function reasonTable({ kinds }: Overview): Table {
  const rows = kinds.flatMap(({ kind, conditions }) => {
    const failing = conditions.filter(({ status }) => status === 'False')
    const ready = failing.filter(({ type }) => type === 'Ready')
    const shown = ready.length > 0 ? ready : failing.filter(({ type }) => type === 'Reconciled')
    return shown.map(({ reason, count }) => ({ kind, reason, count }))
  })
  return {
    columns: [{ header: 'COUNT' }, { header: 'KIND' }, { header: 'REASON', shrinksTo: 10 }],
    rows: rows
      .sort((one, other) => other.count - one.count)
      .slice(0, MAX_REASONS)
      .map(({ kind, reason, count }) => [String(count), kind, reason]),
  }
}

function adapterTable({ kinds }: Overview): Table {
  const rows = kinds.flatMap(({ kind, waiting_for: waiting }) =>
    waiting.map(({ adapter, count }) => ({ kind, adapter, count })),
  )
  return {
    columns: [{ header: 'COUNT' }, { header: 'KIND' }, { header: 'ADAPTER', shrinksTo: 10 }],
    rows: rows
      .filter(({ count }) => count > 0)
      .sort((one, other) => other.count - one.count)
      .slice(0, MAX_REASONS)
      .map(({ kind, adapter, count }) => [String(count), kind, adapter]),
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
