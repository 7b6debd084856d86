import type { AdapterSummary } from '../../../typescript/src/index.ts'
import { age } from '../output/age.ts'
import type { Table } from '../output/table.ts'

/** The adapters of a kind as a table: silent ones first, then failing ones. */
export function adapterTable(adapters: readonly AdapterSummary[], now: Date): Table {
  return {
    columns: [
      { header: 'ADAPTER', shrinksTo: 8 },
      { header: 'STATE' },
      { header: 'LAST REPORT' },
      { header: 'REPORTS/S', rank: 3 },
      { header: 'FAILING' },
      { header: 'WAITING' },
      { header: 'BEHIND', rank: 2 },
      { header: 'QUEUED', rank: 4 },
      { header: 'LEASED', rank: 5 },
    ],
    rows: adapters.map((one) => [
      one.adapter,
      stateOf(one, now),
      one.last_report_time === null ? '-' : age(one.last_report_time, now),
      one.reports_per_second.toFixed(2),
      String(one.failing),
      String(one.waiting),
      one.generations_behind === 0 ? '-' : String(one.generations_behind),
      one.queue === null ? '-' : String(one.queue.queued + one.queue.delayed),
      one.queue === null ? '-' : String(one.queue.leased),
    ]),
  }
}

function stateOf({ silent_since: silent, failing, waiting }: AdapterSummary, now: Date) {
  if (silent !== null) return { text: `silent for ${age(silent, now)}`, tone: 'bad' } as const
  if (failing > 0) return { text: 'failing', tone: 'bad' } as const
  if (waiting > 0) return { text: 'waiting', tone: 'warning' } as const
  return { text: 'current', tone: 'good' } as const
}
