import { expect, it } from 'vitest'
import { adapterTable } from './adapter-table.ts'

const NOW = new Date('2026-11-29T12:00:00Z')
const ADAPTER = {
  adapter: 'dns',
  required: true,
  last_report_time: '2026-11-29T11:58:00Z',
  reports_per_second: 0.5,
  silent_since: null,
  failing: 0,
  waiting: 0,
  generations_behind: 0,
  search: null,
  reasons: [],
  queue: null,
}

it('an adapter is silent, failing, waiting or current', () => {
  const queue = { queued: 3, leased: 2, delayed: 1, oldest_lease_time: null, used_time: null }
  const silent = { silent_since: '2026-11-29T09:00:00Z', last_report_time: null, waiting: 4 }
  const { columns, rows } = adapterTable(
    [
      { ...ADAPTER, ...silent },
      { ...ADAPTER, failing: 2, waiting: 1, generations_behind: 7 },
      { ...ADAPTER, waiting: 1, queue },
      ADAPTER,
    ],
    NOW,
  )
  expect(rows.map((row) => row.length)).toEqual(rows.map(() => columns.length))
  expect(rows).toEqual([
    ['dns', { text: 'silent for 3h', tone: 'bad' }, '-', '0.50', '0', '4', '-', '-', '-'],
    ['dns', { text: 'failing', tone: 'bad' }, '2m', '0.50', '2', '1', '7', '-', '-'],
    ['dns', { text: 'waiting', tone: 'warning' }, '2m', '0.50', '0', '1', '-', '4', '2'],
    ['dns', { text: 'current', tone: 'good' }, '2m', '0.50', '0', '0', '-', '-', '-'],
  ])
})
