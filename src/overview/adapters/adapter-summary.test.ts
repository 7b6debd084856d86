import { expect, it } from 'vitest'
import type { BreakdownRow } from '../breakdown/breakdown-row.ts'
import { summarizeAdapters } from './adapter-summary.ts'

const NOW = new Date('2026-11-29T12:00:00Z')
const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000)

function row(adapter: string, minutes: number, fields: Partial<BreakdownRow> = {}): BreakdownRow {
  const time = minutesAgo(minutes).toISOString()
  return {
    adapter,
    reason: 'Missing',
    values: [],
    count: 1,
    failing: 0,
    total: 1,
    lastHour: 1,
    lastDay: 1,
    oldest: time,
    newest: time,
    example: 'id',
    generationsBehind: null,
    ...fields,
  }
}

const reported = (adapter: string, minutes: number) => ({
  adapter,
  last_report_time: minutesAgo(minutes),
  reports_per_second: 0,
})

const leasing = (adapter: string, leased: number) => ({
  adapter,
  queued: 0,
  leased,
  delayed: 0,
  oldest_lease_time: null,
  used_time: null,
})

function silent(inputs: Partial<Parameters<typeof summarizeAdapters>[0]>) {
  const whole = { required: [], reports: [], rows: [], queues: [], now: NOW, ...inputs }
  return summarizeAdapters(whole).map(({ adapter, silentSince }) => [adapter, silentSince])
}

it('an adapter is silent since its last report while resources wait for it', () => {
  expect(silent({ reports: [reported('dns', 30)], rows: [row('dns', 20)] })).toEqual([
    ['dns', minutesAgo(30)],
  ])
})

it('an adapter without any report is silent since the first resource waits', () => {
  const rows = [row('dns', 20), row('dns', 40, { reason: 'Behind' })]
  expect(silent({ rows })).toEqual([['dns', minutesAgo(40)]])
})

it.each([
  ['nothing waits for it', { reports: [reported('dns', 30)] }],
  ['it reports on other resources', { reports: [reported('dns', 4)], rows: [row('dns', 20)] }],
  ['resources wait for a moment', { reports: [reported('dns', 30)], rows: [row('dns', 4)] }],
  ['it holds a lease', { rows: [row('dns', 20)], queues: [leasing('dns', 1)] }],
  ['it reports failures', { rows: [row('dns', 20, { failing: 1, reason: 'Quota' })] }],
])('an adapter is not silent if %s', (_, inputs) => {
  expect(silent(inputs)).toEqual([['dns', null]])
})

it('silent adapters are first, then failing, waiting and required ones', () => {
  const adapters = summarizeAdapters({
    required: ['quiet', 'fine'],
    reports: [reported('other', 1)],
    rows: [
      row('waits', 1, { count: 9 }),
      row('fails', 1, { count: 2, failing: 2 }),
      row('quiet', 90),
      row('fails', 1, { count: 3 }),
    ],
    queues: [leasing('hidden', 5)],
    now: NOW,
  })
  expect(adapters.map(({ adapter, failing, waiting }) => [adapter, failing, waiting])).toEqual([
    ['quiet', 0, 1],
    ['fails', 2, 3],
    ['waits', 0, 9],
    ['fine', 0, 0],
    ['other', 0, 0],
  ])
})
