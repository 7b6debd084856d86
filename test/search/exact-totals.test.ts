import { cp, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listByCreation } from '../../src/store/resources/list/list-by-creation.ts'
import { migrate, migrationNames } from '../../src/store/database/migrate.ts'
import { sequenceChanges } from '../../src/store/changes/sequence-changes.ts'
import type { Database } from '../../src/store/database/database.ts'
import {
  countersOf,
  DIFFERENCES,
  insertSome,
  startCountedWriter,
} from '../statuses/counted-writers.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, serverNames, type TestDatabase } from '../support/test-database.ts'

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))
const COUNTS = '20261126000000_counts'
const WRITERS = 6
const SNAPSHOTS = 200

/** Whether enough snapshots had rows in the outbox, counted rows, and many resources. */
function isCovered(seen: { waiting: number; counted: number; total: number }): boolean {
  return seen.waiting > 20 && seen.counted > 20 && seen.total > 20
}

describe.each(serverNames())('exact totals of lists on %s', (server) => {
  let copy: TestDatabase
  let database: Database
  beforeEach(async () => {
    copy = await createTestDatabase(server)
    database = openTestDatabase(copy.url)
  })
  afterEach(async () => {
    await database[Symbol.asyncDispose]()
    await copy[Symbol.asyncDispose]()
  })

  async function differences(at: Database = database) {
    return (await at.pool.query(DIFFERENCES)).rows
  }

  it('equal the number of rows in every snapshot during concurrent writes, sequencing and recounts', async () => {
    const stopped = new AbortController()
    const others = [
      ...Array.from({ length: WRITERS }, (_, seed) =>
        startCountedWriter(copy.url, seed, stopped.signal),
      ),
      // Two sequencers with small batches keep rows in the outbox.
      ...[3, 7].map(async (batchSize) => {
        while (!stopped.signal.aborted) {
          await sequenceChanges(database, 'resources', { limit: batchSize })
          await sleep(2)
        }
      }),
      (async () => {
        while (!stopped.signal.aborted) {
          await database.pool.query('select recount_resources()')
          await sleep(50)
        }
      })(),
    ]
    const seen = { waiting: 0, counted: 0, total: 0 }
    try {
      // Until the snapshots cover both rows in the outbox and counted rows.
      for (let snapshot = 0; snapshot < SNAPSHOTS || !isCovered(seen); snapshot += 1) {
        expect(await differences()).toEqual([])
        const { waiting, counted, total } = await countersOf(database)
        seen.waiting += Number(waiting > 0)
        seen.counted += Number(counted > 0)
        seen.total = Math.max(seen.total, total)
      }
    } finally {
      stopped.abort()
      await Promise.all(others)
    }
    while ((await sequenceChanges(database, 'resources', { limit: 1000 }))?.moved !== 0);
    expect(await differences()).toEqual([])
  })

  it('drop the counters of empty lists', async () => {
    await database.pool.query(insertSome(50))
    await sequenceChanges(database, 'resources', { limit: 30 })
    await database.pool.query('delete from resources')
    while ((await sequenceChanges(database, 'resources', { limit: 30 }))?.moved !== 0);
    expect((await database.pool.query('select * from resource_counts')).rows).toEqual([])
  })

  it('are exact after a truncation that also discards outbox rows', async () => {
    await database.pool.query(insertSome(50))
    await sequenceChanges(database, 'resources', { limit: 30 })
    await database.pool.query('truncate resources cascade')
    expect(await differences()).toEqual([])
    await database.pool.query(insertSome(5))
    await sequenceChanges(database, 'resources', { limit: 1000 })
    expect(await differences()).toEqual([])
  })

  it('are exact in a database copy with rows in the outbox', async () => {
    await database.pool.query(insertSome(50))
    await sequenceChanges(database, 'resources', { limit: 30 })
    await database[Symbol.asyncDispose]()
    const restored = await createTestDatabase(server, { template: copy.name })
    database = openTestDatabase(restored.url)
    await database.pool.query(`update head set epoch = 'restored'`)
    expect(await differences()).toEqual([])
    await sequenceChanges(database, 'resources', { limit: 1000 })
    expect(await differences()).toEqual([])
    await database[Symbol.asyncDispose]()
    await restored[Symbol.asyncDispose]()
    database = openTestDatabase(copy.url)
  })

  it('are repaired by recount_resources() after changes without triggers', async () => {
    await database.pool.query(insertSome(50))
    await sequenceChanges(database, 'resources', { limit: 30 })
    await database.pool.query(`
      begin; set local session_replication_role = replica;
      delete from resources where owner_id <> '' or id like '%1'; commit`)
    expect(await differences()).not.toEqual([])
    await database.pool.query('select recount_resources()')
    expect(await differences()).toEqual([])
  })

  it('include resources from before the migration', async () => {
    const empty = await createTestDatabase(server, { template: null })
    const directory = await mkdtemp(path.join(os.tmpdir(), 'flotilla-counts-'))
    const older = openTestDatabase(empty.url)
    try {
      for (const name of await migrationNames(MIGRATIONS)) {
        if (name >= COUNTS) continue
        await cp(path.join(MIGRATIONS, name), path.join(directory, name), { recursive: true })
      }
      await migrate(empty.url, directory)
      await older.pool.query(insertSome(50))
      await older.pool.query('select sequence_changes(30)')
      await migrate(empty.url, MIGRATIONS)
      expect(await differences(older)).toEqual([])
      expect((await countersOf(older)).total).toBe(50)
    } finally {
      await older[Symbol.asyncDispose]()
      await empty[Symbol.asyncDispose]()
      await rm(directory, { recursive: true })
    }
  })

  it('are part of the first page, which reads no more rows than it returns', async () => {
    await database.pool.query(insertSome(5000))
    await database.pool.query('vacuum analyze resources')
    const list = {
      tenant: null,
      kind: 'Cluster',
      ownerId: null,
      direction: 'desc',
      limit: 21,
      offset: 0,
      after: null,
    } as const
    const read = await database.transaction(async (inTransaction) => {
      const { total, items } = await listByCreation(inTransaction, list)
      const entries = await inTransaction.execute<{ entries: number }>(ENTRIES_READ, [])
      return { total, items: items.length, entries: entries[0]?.entries ?? Infinity }
    })
    const { rows } = await database.pool.query(
      `select count(*)::integer as clusters from resources where kind = 'Cluster'`,
    )
    expect(read.total).toBe(rows[0].clusters)
    expect(read.items).toBe(21)
    expect(read.entries).toBeLessThanOrEqual(2 * 21)
  })
})

/** Counts the table and index entries of `resources` that this transaction has read. */
const ENTRIES_READ = {
  name: 'entries_read',
  text: `
    select sum(pg_stat_get_xact_tuples_returned(oid))::integer as entries from (
      select indexrelid as oid from pg_index where indrelid = 'resources'::regclass
      union all select 'resources'::regclass
    ) as relations`,
}
