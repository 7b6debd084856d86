import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import { updateStoredCounts } from '../../src/overview/keep-counts.ts'
import { mergeMinutes } from '../../src/overview/storage/merge-minutes.ts'
import { readSeries } from '../../src/overview/storage/read-series.ts'
import { recordMinute } from '../../src/overview/storage/record-minute.ts'
import { callerWith, made, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({
    env: { ...TENANT_ENV, HYPERFLEET_CLUSTER_ADAPTERS: '["dns","net"]' },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const [ACME, UMBRELLA] = ['acme', 'umbrella'].map((org) => encodeTenant({ org, project: 'web' }))
const run = (text: string, values: unknown[] = []) => queryDatabase(server, text, values)
const numbers = (column: readonly (number | null)[]): readonly number[] =>
  column.filter((value) => value !== null)

test('servers record each change and report of a tenant once', async () => {
  await using first = openTestDatabase(server.databaseUrl)
  await using second = openTestDatabase(server.databaseUrl)
  const acme = callerWith(server, tenantHeaders('acme'))
  const umbrella = callerWith(server, tenantHeaders('umbrella'))
  const create = async (caller: typeof acme): Promise<string> =>
    (await made(caller, '/clusters', creation('Cluster'))).id
  await create(acme)
  await create(umbrella)
  const sequenced = () => expect.poll(() => run('select id from outbox')).toEqual([])
  await sequenced()
  // The server may have recorded the minute, or the next one.
  const makePast = async (time: string): Promise<void> => {
    for (const table of ['load_minutes', 'count_minutes']) {
      await run(`update ${table} set minute = minute - $1::interval`, [time])
    }
  }
  await run('with deleted as (delete from count_minutes) delete from load_minutes')
  await recordMinute(first)
  const [start] = await run('select max(revision) as revision from load_minutes')
  await makePast('8 minutes')

  const dns = { adapter: 'dns', conditions: [{ type: 'Available', status: 'True' }] }
  const report = { ...dns, observed_generation: 1 }
  const statuses = `/clusters/${await create(acme)}/statuses`
  for (let sent = 0; sent < 3; sent += 1) await made(acme, statuses, report)
  await create(umbrella)
  // More adapters than a tenant may have series.
  await run(
    `insert into adapter_reports (kind, tenant, adapter, last_report_time, recent, reports)
    select 'Cluster', $1, 'crowd-' || n, now(), 0, n from generate_series(1, 150) as n`,
    [UMBRELLA],
  )
  await sequenced()
  // A server records the reports that it accepts every few seconds.
  const recorded = () =>
    run('select reports::integer, measured::integer from adapter_reports where tenant = $1', [ACME])
  await expect.poll(recorded, { timeout: 60_000 }).toEqual([{ reports: 3, measured: 1 }])
  await updateStoredCounts({ database: first, registry: server.registry }, { recentSeconds: 0 })
  await makePast('30 minutes')
  await Promise.all([recordMinute(first), recordMinute(second), recordMinute(second)])

  const [changes] = await run(
    `select count(*)::integer as all, count(*) filter (where tenant = $2)::integer as own
    from changes where adapter = '' and revision > $1`,
    [start?.['revision'], ACME],
  )
  const counted = await run(`select tenant, (max(changes) - min(changes))::integer as changes,
      (max(reports) - min(reports))::integer as reports
    from count_minutes where kind = 'Cluster' and adapter = '' group by tenant order by tenant`)
  const own = Number(changes?.['own'])
  const other = Number(changes?.['all']) - own
  expect(counted).toEqual([
    { tenant: ACME, changes: own, reports: 3 },
    { tenant: UMBRELLA, changes: other, reports: 11_325 },
  ])
  expect(own).toBeGreaterThan(1)
  expect(
    await run(
      `select distinct count(*)::integer from count_minutes
      where tenant = $1 group by minute order by 1 desc limit 1`,
      [UMBRELLA],
    ),
  ).toEqual([{ count: 100 }])

  const seriesOf = async (headers: Readonly<Record<string, string>>, query = '?kind=Cluster') =>
    (await callerWith(server, headers).get(`/series${query}`)).body
  const ofAcme = await seriesOf(tenantHeaders('acme'))
  expect(ofAcme).toMatchObject({ kind: 'SeriesList', range: 'hour', step_seconds: 60 })
  expect(ofAcme.kinds[0].total).toHaveLength(60)
  expect(numbers(ofAcme.kinds[0].total).at(-1)).toBe(2)
  expect(numbers(ofAcme.kinds[0].not_ready).at(-1)).toBe(2)
  expect(ofAcme.adapters.map(({ adapter }: { adapter: string }) => adapter)).toEqual(['dns', 'net'])
  const [reported, silent] = ofAcme.adapters
  expect([reported, silent].map(({ waiting }) => numbers(waiting).at(-1))).toEqual([1, 2])
  expect(numbers(ofAcme.kinds[0].reports_per_second).at(-1)).toBeGreaterThan(0)
  const system = await seriesOf(SYSTEM_HEADERS)
  expect(numbers(system.kinds[0].total).at(-1)).toBe(4)
  expect(system.adapters).toHaveLength(50)
  expect((await seriesOf(SYSTEM_HEADERS, '?range=day')).adapters).toEqual([])
  const stranger = await seriesOf(tenantHeaders('globex'))
  expect(stranger).toMatchObject({ kinds: [], adapters: [] })
})

test('minutes become steps after a day, and are deleted after a week', async () => {
  await using first = openTestDatabase(server.databaseUrl)
  await using second = openTestDatabase(server.databaseUrl)
  // Ten reports per minute for 40 minutes, and one minute in which nothing was ready.
  await run(`insert into count_minutes (minute, tenant, kind, adapter, total, not_ready, reports,
      measured, latency_seconds, waiting)
    select date_bin('10 minutes', now() - interval '2 days', 'epoch') + n * interval '1 minute',
      'past', 'Merged', 'dns', 5, case when n = 25 then 5 else 1 end, 10 * n, n, 3 * n, 2
    from generate_series(1, 40) as n`)
  await run(`insert into count_minutes (minute, tenant, kind, step, total, not_ready)
    values (date_trunc('minute', now() - interval '8 days'), 'past', 'Merged', 10, 1, 1)`)
  await Promise.all([mergeMinutes(first), mergeMinutes(second)])
  await mergeMinutes(first)
  const rows = () =>
    run(`select step, not_ready::integer, reports::integer, extract(minute from minute)::integer % 10
      as minute from count_minutes where tenant = 'past' order by count_minutes.minute`)
  const merged = [1, 1, 5, 1].map((notReady, index) => {
    return { step: 10, not_ready: notReady, reports: 100 * (index + 1), minute: 0 }
  })
  expect(await rows()).toEqual(merged)
  const from = Date.now() - 3 * 86_400_000
  const steps = await readSeries(first, {
    tenant: 'past',
    kinds: ['Merged'],
    hasAdapters: true,
    from: new Date(from),
    to: new Date(from + 2 * 86_400_000),
    stepSeconds: 600,
    maxAdapters: 1,
  })
  const [begin, ...rest] = steps
  expect(begin).toMatchObject({ reports_per_second: null, latency_seconds: null })
  const step = { adapter: 'dns', total: 5, waiting: 2, latency_seconds: 3 }
  expect(rest).toMatchObject([1, 5, 1].map((notReady) => ({ ...step, not_ready: notReady })))
  for (const { reports_per_second: rate } of rest) expect(rate).toBeCloseTo(1 / 6)
})
