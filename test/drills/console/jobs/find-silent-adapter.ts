import assert from 'node:assert/strict'
import { must } from '../../../../src/lib/assert.ts'
import { query } from '../../../shards/query.ts'
import { assertAccessible } from '../browser/assert-accessible.ts'
import type { Desk } from './job.ts'

/** No adapter of the rig reports on node pools. One of them did so until three hours ago. */
const STOP_ADAPTER = `
  insert into adapter_reports (kind, tenant, adapter, last_report_time, recent)
  values ('NodePool', '', $1, now() - interval '3 hours 5 minutes', 1)
  on conflict (kind, tenant, adapter) do update set last_report_time = excluded.last_report_time`

/** One report per second for an hour, while seven node pools waited. */
const RECORD_HOUR = `
  insert into count_minutes (minute, tenant, kind, adapter, total, not_ready, reports, waiting)
  select date_trunc('minute', now()) - n * interval '1 minute', '', 'NodePool', $1, 0, 0,
    (60 - n) * 60, 7
  from generate_series(1, 59) as n
  on conflict (tenant, kind, adapter, minute, step) do update
  set reports = excluded.reports, waiting = excluded.waiting`

/** Says which adapter is silent since when, and lists the resources that wait for it. */
export async function findSilentAdapter({ tab, user, rig, by }: Desk): Promise<void> {
  const { page, open } = tab
  const { client } = rig.server
  const nodePool = (await client.kinds()).find(({ kind }) => kind === 'NodePool')
  const adapter = must(nodePool?.required_adapters[0], 'an adapter of node pools')
  await query(rig.databaseUrl, STOP_ADAPTER, [adapter])
  await query(rig.databaseUrl, RECORD_HOUR, [adapter])
  await open('/')
  const panel = page.getByRole('region', { name: 'What broke: node pools' })
  await user.activate(panel.getByRole('link', { name: 'Adapters' }))
  await page.waitForURL(/adapters\?kind=nodepools/)
  const row = page
    .getByRole('table', { name: 'Adapters of node pools' })
    .getByRole('row')
    .filter({ hasText: adapter })
  await row.getByText(/Silent for 3h/).waitFor()
  const { items } = await client.adapters({ kind: 'NodePool' })
  const found = must(
    items.find((one) => one.adapter === adapter),
    'the adapter',
  )
  assert.equal(hoursSince(must(found.silent_since, 'the time of the last report')), 3)
  await page.getByRole('table', { name: 'Node pools by adapter' }).waitFor()
  await readCharts(tab, user, adapter)
  await assertAccessible(page, `adapters with ${by}`)
  await user.activate(row.getByRole('link', { name: /Silent/ }))
  await page.waitForURL(/[?&]q=/)
  await page.getByText(`${(found.failing + found.waiting).toLocaleString('en')} results`).waitFor()
}

/** Reads when the adapter reported from the charts, over an hour and over a week. */
async function readCharts(
  { page }: Desk['tab'],
  user: Desk['user'],
  adapter: string,
): Promise<void> {
  const charts = page.getByRole('region', { name: 'Adapters over time' })
  const rate = charts
    .getByRole('table', { name: 'Figures: Reports per second' })
    .getByRole('row')
    .filter({ hasText: adapter })
  await rate.getByRole('cell', { name: '1', exact: true }).first().waitFor()
  const week = charts.getByRole('button', { name: 'Week' })
  await user.activate(week)
  await charts.getByRole('button', { name: 'Week', pressed: true }).waitFor()
  await rate.waitFor()
  await charts.getByRole('img', { name: 'Chart: Reports per second' }).locator('canvas').waitFor()
}

function hoursSince(time: string): number {
  return Math.floor((Date.now() - Date.parse(time)) / 3_600_000)
}
