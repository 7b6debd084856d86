import { TABLES } from '../../src/cmd/tables.ts'
import { expect, test } from 'vitest'
import { gapOf } from '../../src/audit/audit-event.ts'
import { insertAuditEvents } from '../../src/audit/storage/insert-audit-events.ts'
import { copyRecords } from '../../src/shards/storage/copy-records.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { query } from './query.ts'

const TENANT = '{"org":"acme"}'

test('the events of a tenant arrive in the partitions of their days, each once', async () => {
  await using from = await createTestDatabase()
  await using to = await createTestDatabase()
  await using source = openTestDatabase(from.url)
  const timeOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000)
  const event = (daysAgo: number, tenant: string) => ({
    ...gapOf(1, { time: timeOf(daysAgo), id: `${daysAgo}${tenant}` }),
    tenant,
  })
  await source.pool.query(
    `select add_day_partition('audit_events', (now() at time zone 'utc')::date - 4)`,
  )
  const tenants = [TENANT, '{"org":"umbrella"}']
  const events = [0, 4, 9].flatMap((days) => tenants.map((tenant) => event(days, tenant)))
  await insertAuditEvents(source, [...events, event(8, '{"org":"umbrella"}')])
  const counts: [string, number][] = []
  for (let round = 0; round < 2; round += 1) {
    await copyRecords(
      { source: from.url, target: to.url, tables: TABLES },
      TENANT,
      (table, rows) => {
        counts.push([table, rows])
      },
    )
  }
  expect(counts.filter(([table]) => table === 'audit_events')).toEqual([
    ['audit_events', 3],
    ['audit_events', 0],
  ])
  expect(await query(to.url, 'select id from audit_events_default')).toEqual([])
  const days = `
    select to_char(time at time zone 'utc', 'YYYY-MM-DD') as day, tableoid::regclass::text as name
    from audit_events order by time desc`
  const found = await query<{ day: string; name: string }>(to.url, days)
  expect(found.map(({ day }) => day)).toEqual(
    [0, 4, 9].map((daysAgo) => timeOf(daysAgo).toISOString().slice(0, 10)),
  )
  for (const { day, name } of found) expect(name).toBe(`audit_events_${day.replaceAll('-', '')}`)
  const partitions = `select 1 from pg_inherits where inhparent = 'audit_events'::regclass`
  expect(await query(to.url, partitions)).toHaveLength(4)
})
