import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/store/database/database.ts'
import { collectHistory } from '../../src/history/storage/collect-history.ts'
import { maintainPartitions } from '../../src/store/partitions/maintain-partitions.ts'
import { startProgram } from '../process/program.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { backupOf, restoreTo } from '../support/memory-backup.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const DAY = 86_400

let created: TestDatabase
/** It collects nothing, so that the tests decide when a session does. */
let server: TestServer
let database: Database
beforeAll(async () => {
  created = await createTestDatabase()
  server = await startTestServer({ databaseUrl: created.url, env: { HISTORY_RETENTION: 'off' } })
  database = openTestDatabase(created.url)
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await created[Symbol.asyncDispose]()
})

/** Creates clusters, and waits until they are in the log. */
async function createClusters(count: number, to: TestServer = server): Promise<readonly string[]> {
  const ids: string[] = []
  for (let index = 0; index < count; index += 1) {
    const { body } = await to.post('/clusters', creation('Cluster'))
    ids.push(body.id)
  }
  const text = 'select count(*)::integer as count from changes where resource_id = any($1)'
  const logged = async (): Promise<number> =>
    (await database.pool.query<{ count: number }>(text, [ids])).rows[0]?.count ?? 0
  await expect.poll(logged).toBe(count)
  return ids
}

async function collectAll(from: Database = database): Promise<void> {
  while (((await collectHistory(from, 1000)).collected ?? 1) > 0);
}

/** The number of entries of each resource. */
async function entries(
  ids: readonly string[],
  from: Database = database,
): Promise<readonly number[]> {
  const { rows } = await from.pool.query<{ count: number }>(
    `select count(revision)::integer as count from unnest($1::text[]) with ordinality as listed (id, place)
     left join resource_history on resource_id = id group by id, place order by place`,
    [ids],
  )
  return rows.map(({ count }) => count)
}

test('sessions that collect at the same time neither repeat nor omit a change', async () => {
  await collectAll()
  const ids = await createClusters(30)
  await using other = openTestDatabase(created.url)
  const rounds: Promise<unknown>[] = []
  for (let round = 0; round < 40; round += 1) {
    rounds.push(collectHistory(round % 2 === 0 ? database : other, 3))
  }
  await Promise.all(rounds)
  await collectAll()
  expect(await entries(ids)).toEqual(ids.map(() => 1))
  expect(await collectHistory(database, 10)).toMatchObject({ collected: 0, lag: 0n })
})

test('a session that ends before its commit leaves neither entries nor a moved cursor', async () => {
  await collectAll()
  const ids = await createClusters(2)
  const session = await database.pool.connect()
  await session.query('begin')
  await session.query('select collect_history(1000)')
  // Another session does not wait for it.
  expect(await collectHistory(database, 10)).toMatchObject({ collected: null, lag: 2n })
  session.release(new Error('the process is killed'))
  await collectAll()
  expect(await entries(ids)).toEqual([1, 1])
})

test('changes that the log drops before are counted', async () => {
  await collectAll()
  const { lost } = await collectHistory(database, 1)
  const dropped = await createClusters(3)
  await queryDatabase(server, 'update head set compacted = revision')
  const kept = await createClusters(1)
  await collectAll()
  expect(await collectHistory(database, 1)).toMatchObject({ lost: lost + 3n, lag: 0n })
  expect(await entries(dropped)).toEqual([0, 0, 0])
  expect(await entries(kept)).toEqual([1])
})

test('the history of a resource that lost changes is not complete', async () => {
  const [before = ''] = await createClusters(1)
  await collectAll()
  const isComplete = async (id: string): Promise<unknown> =>
    (await server.get(`/clusters/${id}/history`)).body.complete
  expect(await isComplete(before)).toBe(true)
  await server.patch(`/clusters/${before}`, { spec: { size: 2 } })
  await createClusters(1)
  await queryDatabase(server, 'update head set compacted = revision')
  const [after = ''] = await createClusters(1)
  await collectAll()
  expect([await isComplete(before), await isComplete(after)]).toEqual([false, true])
})

test('changes that the log drops while the history is off are not lost', async () => {
  const [before = ''] = await createClusters(1)
  await collectAll()
  const { lost } = await collectHistory(database, 1)
  await using _ = await startTestServer({
    databaseUrl: created.url,
    env: { HISTORY_RETENTION: 'off' },
  })
  const paused = async (): Promise<unknown> =>
    (await database.pool.query('select is_paused from history_cursor')).rows[0]?.is_paused
  await expect.poll(paused).toBe(true)
  await createClusters(2)
  await queryDatabase(server, 'update head set compacted = revision')
  const [after = ''] = await createClusters(1)
  await collectAll()
  expect(await entries([after])).toEqual([1])
  expect(await collectHistory(database, 1)).toMatchObject({ lost })
  expect((await server.get(`/clusters/${before}/history`)).body.complete).toBe(false)
  expect(await paused()).toBe(false)
  await createClusters(2)
  await queryDatabase(server, 'update head set compacted = revision')
  await collectAll()
  expect(await collectHistory(database, 1)).toMatchObject({ lost: lost + 2n })
})

test('a move of a tenant between shards is no entry', async () => {
  const ids = await createClusters(1)
  await queryDatabase(server, `update changes set moved = true where resource_id = '${ids[0]}'`)
  await collectAll()
  expect(await entries(ids)).toEqual([0])
})

test('without a history, the path has no entries', async () => {
  const [id] = await createClusters(1)
  const { body } = await server.get(`/clusters/${id}/history`)
  expect(body).toEqual({ kind: 'HistoryList', items: [], next: null, complete: false })
})

test('days that are older than the retention are dropped', async () => {
  const ids = await createClusters(1)
  await collectAll()
  const old = `select add_day_partition('resource_history', (now() at time zone 'utc')::date - 20)`
  await queryDatabase(server, old)
  await queryDatabase(
    server,
    `update resource_history set time = time - interval '20 days' where resource_id = '${ids[0]}'`,
  )
  await maintainPartitions(database, 'resource_history', 30 * DAY)
  expect(await entries(ids)).toEqual([1])
  await maintainPartitions(database, 'resource_history', 10 * DAY)
  expect(await entries(ids)).toEqual([0])
})

test('a restored backup continues the history', async () => {
  const ids = await createClusters(2)
  await collectAll()
  const later = await createClusters(1)
  await using target = await createTestDatabase('embedded', { template: null })
  await restoreTo(target.url, await backupOf(created.url))
  await using restored = openTestDatabase(target.url)
  expect(await entries([...ids, ...later], restored)).toEqual([1, 1, 0])
  await using continued = await startTestServer({ databaseUrl: target.url })
  const path = (id: string | undefined): string => `/clusters/${id}/history`
  const types = async (): Promise<unknown> =>
    (await continued.get(path(later[0]))).body.items.map(({ type }: { type: string }) => type)
  await expect.poll(types).toEqual(['created'])
  await continued.patch(`/clusters/${ids[0]}`, { spec: { size: 7 } })
  const changed = async (): Promise<unknown> =>
    (await continued.get(path(ids[0]))).body.items[0]?.changes
  const change = { path: '/spec/size', new: 7 }
  await expect.poll(changed).toContainEqual(expect.objectContaining(change))
  expect(await entries([...ids, ...later], restored)).toEqual([2, 1, 1])
})

test('the next server continues after one that was killed', async () => {
  await using killed = await createTestDatabase()
  const env = { DATABASE_URL: killed.url, ROLE: 'api' }
  await using first = startProgram(env)
  const { port } = await first.ready()
  const ids: string[] = []
  for (let index = 0; index < 60; index += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/api/hyperfleet/v1/clusters`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(creation('Cluster')),
    })
    ids.push(((await response.json()) as { id: string }).id)
  }
  first.kill('SIGKILL')
  await first.exited
  await using next = await startTestServer({ databaseUrl: killed.url })
  await using reader = openTestDatabase(killed.url)
  const once = ids.map(() => 1)
  await expect.poll(() => entries(ids, reader)).toEqual(once)
  const { body } = await next.get(`/clusters/${ids[0]}/history`)
  expect(body.items).toMatchObject([{ type: 'created', id: ids[0] }])
})
