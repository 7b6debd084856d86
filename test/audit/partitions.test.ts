import { afterAll, beforeAll, expect, test } from 'vitest'
import { gapOf } from '../../src/audit/audit-event.ts'
import { insertAuditEvents } from '../../src/audit/storage/insert-audit-events.ts'
import { listAuditEvents } from '../../src/audit/storage/list-audit-events.ts'
import type { Database } from '../../src/store/database/database.ts'
import { maintainPartitions } from '../../src/store/partitions/maintain-partitions.ts'
import { backupOf, restoreTo } from '../support/memory-backup.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestServer } from '../support/test-server.ts'

const DAY = 86_400

let created: TestDatabase
let database: Database
beforeAll(async () => {
  created = await createTestDatabase()
  database = openTestDatabase(created.url)
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await created[Symbol.asyncDispose]()
})

/** Adds an event of some days ago, with a number as its ID. */
async function addEvent(daysAgo: number, to: Database = database): Promise<void> {
  const time = new Date(Date.now() - daysAgo * DAY * 1000)
  await insertAuditEvents(to, [gapOf(1, { time, id: String(daysAgo) })])
}

async function stored(from: Database = database): Promise<readonly string[]> {
  const query = { tenant: null, where: null, hiddenPlanes: [], before: null, limit: 100 }
  return (await listAuditEvents(from, query)).rows.map(({ id }) => id)
}

async function partitions(): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
     where inhparent = 'audit_events'::regclass order by relname`,
  )
  return rows.map(({ name }) => name)
}

test('partitions are created ahead, take the rows of the default one, and are dropped by age', async () => {
  for (const days of [0, 3, 30]) await addEvent(days)
  await maintainPartitions(database, 'audit_events', 7 * DAY)
  // The event of 30 days ago is older than the retention.
  expect(await stored()).toEqual(['0', '3'])
  const names = await partitions()
  expect(names).toHaveLength(5)
  const { rows } = await database.pool.query('select id from audit_events_default')
  expect(rows).toEqual([{ id: '3' }])
  await maintainPartitions(database, 'audit_events', 7 * DAY)
  expect(await partitions()).toEqual(names)
})

test('a server drops the events that are older than its retention', async () => {
  await using other = await createTestDatabase()
  await using events = openTestDatabase(other.url)
  for (const days of [0, 3, 30]) await addEvent(days, events)
  await using _ = await startTestServer({ databaseUrl: other.url, env: { AUDIT: 'retention=7d' } })
  await expect.poll(() => stored(events)).toEqual(['0', '3'])
})

test('servers can maintain partitions at the same time', async () => {
  await using other = await createTestDatabase()
  await using one = openTestDatabase(other.url)
  await using two = openTestDatabase(other.url)
  await Promise.all([one, two].map((each) => maintainPartitions(each, 'audit_events', DAY)))
})

test('a partition that is older than the retention is dropped', async () => {
  await database.pool.query(
    `select add_day_partition('audit_events', (now() at time zone 'utc')::date - 20)`,
  )
  await addEvent(20)
  expect(await stored()).toContain('20')
  await maintainPartitions(database, 'audit_events', 10 * DAY)
  expect(await stored()).not.toContain('20')
  expect(await partitions()).toHaveLength(5)
})

test('a drop behind a long search gives up before inserts wait for long', async () => {
  await database.pool.query(
    `select add_day_partition('audit_events', (now() at time zone 'utc')::date - 20)`,
  )
  const reader = await database.pool.connect()
  await reader.query('begin')
  await reader.query('select count(*) from audit_events')
  await expect(maintainPartitions(database, 'audit_events', 10 * DAY)).rejects.toThrow(
    'lock timeout',
  )
  await reader.query('rollback')
  reader.release()
  await maintainPartitions(database, 'audit_events', 10 * DAY)
  expect(await partitions()).toHaveLength(5)
})

test('old partitions are dropped even if new ones cannot be created, and each day is a statement', async () => {
  await using other = await createTestDatabase()
  const added: string[] = []
  await using events = openTestDatabase(other.url, (name) => {
    if (name === 'add_day_partition') added.push(name)
  })
  await events.pool.query(
    `select add_day_partition('audit_events', (now() at time zone 'utc')::date - 20)`,
  )
  await addEvent(20, events)
  const creator = await events.pool.connect()
  await creator.query('begin')
  // The lock of another server that creates a partition.
  await creator.query('select pg_advisory_xact_lock(7305188030)')
  await expect(maintainPartitions(events, 'audit_events', 10 * DAY)).rejects.toThrow('lock timeout')
  expect(added).toHaveLength(1)
  await creator.query('rollback')
  creator.release()
  expect(await stored(events)).toEqual([])
  await maintainPartitions(events, 'audit_events', 10 * DAY)
  expect(added).toHaveLength(5)
})

test('expired rows of the default partition are deleted in batches', async () => {
  await using other = await createTestDatabase()
  await using events = openTestDatabase(other.url)
  await events.pool.query(`
    create table deletions (rows bigint);
    create function count_deletions() returns trigger language plpgsql as $$
    begin
      insert into deletions select count(*) from gone;
      return null;
    end
    $$;
    create trigger count_deletions after delete on audit_events_default
      referencing old table as gone for each statement execute function count_deletions()`)
  const time = new Date(Date.now() - 30 * DAY * 1000)
  const rows = Array.from({ length: 5000 }, (_, index) => gapOf(1, { time, id: String(index) }))
  await insertAuditEvents(events, rows)
  await addEvent(0, events)
  await maintainPartitions(events, 'audit_events', 10 * DAY)
  expect(await stored(events)).toEqual(['0'])
  const { rows: deletions } = await events.pool.query<{ rows: bigint }>(
    'select rows from deletions where rows > 100',
  )
  expect(deletions.map((deletion) => Number(deletion.rows))).toEqual([2000, 2000, 1000])
})

test('restored rows are in the partitions of their days', async () => {
  await using source = await createTestDatabase()
  await using events = openTestDatabase(source.url)
  await maintainPartitions(events, 'audit_events', 90 * DAY)
  await events.pool.query(
    `select add_day_partition('audit_events', (now() at time zone 'utc')::date - 20)`,
  )
  for (const days of [0, 7, 20]) await addEvent(days, events)
  await events.pool.query(`
    insert into resource_history (resource_id, time, revision, type, kind, tenant, owner_id, name,
      generation, author, reason)
    values ('a', now() - interval '5 days', 1, 'created', 'Cluster', '', '', 'a', 1, '', '')`)
  await using target = await createTestDatabase('embedded', { template: null })
  await restoreTo(target.url, await backupOf(source.url))
  await using restored = openTestDatabase(target.url)
  expect(await stored(restored)).toEqual(['0', '7', '20'])
  for (const table of ['audit_events', 'resource_history']) {
    const counts = `
      select (select count(*) from ${table})::integer as all,
        (select count(*) from ${table}_default)::integer as loose`
    const { rows } = await restored.pool.query<{ all: number; loose: number }>(counts)
    expect(rows).toEqual([{ all: table === 'audit_events' ? 3 : 1, loose: 0 }])
  }
  await maintainPartitions(restored, 'audit_events', 10 * DAY)
  expect(await stored(restored)).toEqual(['0', '7'])
})

test('a backup contains the rows of all partitions', async () => {
  await using target = await createTestDatabase('embedded', { template: null })
  await restoreTo(target.url, await backupOf(created.url))
  await using restored = openTestDatabase(target.url)
  expect(await stored(restored)).toEqual(await stored())
  await maintainPartitions(restored, 'audit_events', 7 * DAY)
  expect(await stored(restored)).toEqual(await stored())
})
