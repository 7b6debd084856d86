import { EventEmitter, once } from 'node:events'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { beginFollowing, finish, follow, type Following } from '../../src/import/follow.ts'
import { importResources } from '../../src/import/import-resources.ts'
import { openApiSource } from '../../src/import/open-api-source.ts'
import type { Finding } from '../../src/import/finding.ts'
import { must } from '../../src/lib/assert.ts'
import { textOf } from '../../src/lib/json/json-fields.ts'
import type { Source } from '../../src/import/source.ts'
import { openDatabaseSource } from '../../src/import/storage/open-database-source.ts'
import {
  closeForWrites,
  markCompared,
  openForWrites,
  renewGuard,
  writeAsFollower,
} from '../../src/import/storage/write-guard.ts'
import { openClient } from '../../src/store/database/connection/open-client.ts'
import type { Database } from '../../src/store/database/database.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import type { TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { startEmulatedApi } from './emulated-api.ts'
import { query, recordedDatabase } from './recorded.ts'

const REPORT = {
  adapter: 'dns',
  observed_generation: 1,
  observed_time: '2027-01-01T00:00:00Z',
  conditions: [{ type: 'Available', status: 'True', reason: 'R', message: 'm' }],
}

/** The advisory lock of the guard. */
const LOCK = 7305188033
const LONG = { timeout: 60_000, interval: 5 }

const CHANGES = [
  // Incremental passes see additions, changes and reports.
  `update resources set spec = '{"region": "moved"}', updated_time = now() where name = 'cluster-00'`,
  `insert into resources (id, kind, name, created_by, updated_by, spec)
     values ('added', 'Cluster', 'added', 'a', 'a', '{}')`,
  `insert into adapter_statuses (
       id, resource_type, resource_id, adapter, observed_generation, conditions, last_report_time)
     values ('s', 'Cluster', 'added', 'dns', 1, '[]', now())`,
] as const

let server: TestServer
let recorded: TestDatabase
let source: Source
let database: Database
let following: Following

beforeAll(async () => {
  server = await startTestServer()
  recorded = await recordedDatabase('main')
  source = await openDatabaseSource(recorded.url)
  database = openTestDatabase(server.databaseUrl)
  const options = { dimensions: [], onFinding: () => undefined }
  following = { database, source, registry: server.registry, options }
})

afterAll(async () => {
  for (const each of [database, source, recorded, server]) await each[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await openForWrites(database)
  await query(server.databaseUrl, 'delete from resources')
})

/** The source, with an action of another process after a pass has listed the resources of a kind. */
function interrupted(
  action: () => Promise<unknown>,
  { pass, after }: { readonly pass: number; readonly after: string } = {
    pass: 1,
    after: 'Cluster',
  },
): Following {
  let passes = 0
  return {
    ...following,
    source: {
      ...source,
      pages: async function* pages(kind, changes) {
        yield* source.pages(kind, changes)
        if (kind.kind !== after) return
        passes += 1
        if (passes === pass) await action()
      },
    },
  }
}

/** One pass of a follower. */
function mirrorOnce(sides: Following): Promise<void> {
  return follow(sides, { onPass: () => undefined, pause: () => Promise.resolve(false) })
}

test('a follower mirrors its source, which is the only writer until the import is finished', async () => {
  const passes: object[] = []
  let changed = 0

  const own = await server.post('/clusters', { kind: 'Cluster', name: 'own', spec: {} })
  const broken = { ...source, count: () => Promise.reject(new Error('interrupted')) }
  await expect(beginFollowing({ ...following, source: broken })).rejects.toThrow('interrupted')
  await expect(finish(following)).rejects.toThrow('the target is closed but not compared')
  // Without a comparison, the target may be that of another follower.
  await expect(beginFollowing(following)).rejects.toThrow(
    /the target has 1 resources that the source lacks, .* open it with --abort$/,
  )
  expect((await server.post(`/clusters/${own.body.id}/statuses`, REPORT)).status).toBe(409)
  await openForWrites(database)
  await expect(beginFollowing(following)).rejects.toThrow(/--follow would remove them$/)
  expect((await server.post(`/clusters/${own.body.id}/statuses`, REPORT)).status).toBe(201)
  await query(server.databaseUrl, 'delete from resources')

  await beginFollowing(following)
  await follow(following, {
    onPass: ({ written, replaced }, removed) => passes.push({ written, replaced, removed }),
    pause: async () => {
      const change = CHANGES[changed]
      if (change === undefined) return false
      await query(recorded.url, change)
      changed += 1
      return true
    },
  })
  expect(passes).toEqual([
    { written: 48, replaced: 0, removed: 0 },
    { written: 0, replaced: 1, removed: 0 },
    { written: 1, replaced: 0, removed: 0 },
    { written: 0, replaced: 1, removed: 0 },
  ])
  const refused = await server.post('/clusters/added/statuses', REPORT)
  expect(refused.body).toMatchObject({
    status: 409,
    code: 'HYPERFLEET-CNF-003',
    detail: expect.stringContaining('the only writer until the import is finished'),
  })
  expect((await server.post('/clusters', { kind: 'Cluster', name: 'own', spec: {} })).status).toBe(
    409,
  )
  expect((await server.get('/clusters/added/statuses')).body.items).toHaveLength(1)

  // The last changes, with a removal whose name is used again.
  await query(
    recorded.url,
    `delete from resources where id = 'added';
     insert into resources (id, kind, name, created_by, updated_by, spec)
     values ('again', 'Cluster', 'added', 'a', 'a', '{}')`,
  )
  expect(await finish(following)).toBe(true)
  expect((await server.get('/clusters/added')).status).toBe(404)
  expect((await server.post('/clusters/again/statuses', REPORT)).status).toBe(201)
  await expect(finish(following)).rejects.toThrow('no import follows a source')
})

test('a follower does not open the target that another one has compared', async () => {
  await beginFollowing(
    interrupted(async () => {
      await query(
        recorded.url,
        `insert into resources (id, kind, name, created_by, updated_by, spec)
         values ('late', 'Cluster', 'late', 'a', 'a', '{}')`,
      )
      await beginFollowing(following)
      await mirrorOnce(following)
    }),
  )
  expect((await server.get('/clusters/late')).status).toBe(200)
  expect((await server.post('/clusters/late/statuses', REPORT)).status).toBe(409)
  expect(await finish(following)).toBe(true)
})

test('a follower ends if the target is opened during its comparison', async () => {
  const opened = 'another process has opened or compared the target during the comparison'
  const abort = (): Promise<void> => openForWrites(database)
  await expect(beginFollowing(interrupted(abort))).rejects.toThrow(opened)
  const restart = async (): Promise<void> => {
    await abort()
    await closeForWrites(database)
  }
  await expect(beginFollowing(interrupted(restart))).rejects.toThrow(opened)
})

test('a follower does not remove what servers write after an abort', async () => {
  await beginFollowing(following)
  let own = ''
  const reopened = interrupted(async () => {
    await openForWrites(database)
    own = (await server.post('/clusters', { kind: 'Cluster', name: 'own', spec: {} })).body.id
    await closeForWrites(database)
  })
  await mirrorOnce(following)
  await expect(mirrorOnce(reopened)).rejects.toThrow('the import is finished')
  expect((await server.get(`/clusters/${own}`)).status).toBe(200)
})

test('a follower does not remove what finish has copied since it read the source', async () => {
  await beginFollowing(following)
  await mirrorOnce(following)
  const steps = new EventEmitter()
  const isRead = once(steps, 'follower has read')
  const isCompared = once(steps, 'sides are compared')
  const mayOpen = once(steps, 'follower has ended')

  const follower = mirrorOnce(
    interrupted(async () => {
      await query(
        recorded.url,
        `insert into resources (id, kind, name, created_by, updated_by, spec)
         values ('last', 'Cluster', 'last', 'a', 'a', '{}')`,
      )
      steps.emit('follower has read')
      await isCompared
    }),
  )
  await isRead
  const finishing = finish(
    interrupted(
      async () => {
        steps.emit('sides are compared')
        await mayOpen
      },
      { pass: 2, after: 'NodePool' },
    ),
  )
  await expect(follower).rejects.toThrow('another process finishes the import')
  steps.emit('follower has ended')
  expect(await finishing).toBe(true)
  expect((await server.get('/clusters/last')).status).toBe(200)
})

test('only the followed source is mirrored without a comparison', async () => {
  await using first = await recordedDatabase('main')
  await using second = await recordedDatabase('main')
  await using firstSource = await openDatabaseSource(first.url)
  await using secondSource = await openDatabaseSource(second.url)
  const followed = { ...following, source: firstSource }
  const other = { ...following, source: secondSource }
  await beginFollowing(followed)
  await mirrorOnce(followed)

  const { title } = firstSource
  await expect(finish(other)).rejects.toThrow(`the target follows another source, ${title}: use`)
  await expect(mirrorOnce(other)).rejects.toThrow(`the target follows ${title} now`)
  const [removed] = await query(
    second.url,
    `delete from resources where name = 'cluster-06' returning id`,
  )
  const { id } = removed as { id: string }
  await expect(beginFollowing(other)).rejects.toThrow(
    `the target has 1 resources that the source lacks, such as ${id}: --follow would remove them. It stays closed, as it follows ${title}: open it with --abort`,
  )
  expect((await server.get(`/clusters/${id}`)).status).toBe(200)
  await mirrorOnce(followed)

  // A source that lacks nothing continues the mirror, as after a move of its database.
  await beginFollowing(following)
  await expect(mirrorOnce(followed)).rejects.toThrow(`the target follows ${source.title} now`)
  expect(await finish(following)).toBe(true)
  expect((await server.get(`/clusters/${id}`)).status).toBe(200)
})

test('the API and the database of a server are not followed at the same time', async () => {
  await using api = await startEmulatedApi('main')
  await using apiSource = openApiSource({ ...api, pauseMs: 1 })
  const byApi = { ...following, source: apiSource }
  await expect(beginFollowing(interrupted(() => beginFollowing(byApi)))).rejects.toThrow(
    'another process has opened or compared the target during the comparison: repeat --follow',
  )
  await mirrorOnce(byApi)
  const { title } = apiSource
  await expect(mirrorOnce(following)).rejects.toThrow(`the target follows ${title} now: repeat`)
  await expect(finish(following)).rejects.toThrow(
    `the target follows another source, ${title}: use`,
  )
  await query(recorded.url, CHANGES[0])
  const imported = importResources(following, { ...following.options, mode: 'replace' })
  await expect(imported).rejects.toThrow('the only writer until --finish or --abort')
  expect(await finish(byApi)).toBe(true)
})

test('a follower does not remove the resources of a kind whose list is not found', async () => {
  await using api = await startEmulatedApi('main')
  await using apiSource = openApiSource({ ...api, pauseMs: 1 })
  const byApi = { ...following, source: apiSource }
  await beginFollowing(byApi)
  await mirrorOnce(byApi)
  api.hidden.push(/\/nodepools\?/)
  const pools = async (): Promise<number> => (await server.get('/nodepools')).body.total
  const before = await pools()
  expect(before).toBeGreaterThan(0)
  const refused =
    /^the source has no list of nodepools, of which the target has .*: nothing is removed/
  await expect(mirrorOnce(byApi)).rejects.toThrow(refused)
  await expect(finish(byApi)).rejects.toThrow(refused)
  expect(await pools()).toBe(before)
  api.hidden.length = 0
  expect(await finish(byApi)).toBe(true)
})

test('a follower removes only resources of tenants that its token has shown', async () => {
  await using api = await startEmulatedApi('main')
  const clusters = [...api.bodies].filter(([path]) => /\/clusters\/[^/]+$/.test(path))
  const [path, body] = must(clusters[0], 'a cluster')
  const [id, tenancy] = [textOf(body['id']), { org: 'a' }]
  const findings: Finding[] = []
  /** A new process. */
  const start = (): Following => ({
    ...following,
    source: openApiSource({ ...api, pauseMs: 1 }),
    options: { ...following.options, onFinding: (finding) => findings.push(finding) },
  })
  const status = async (): Promise<number> => (await server.get(`/clusters/${id}`)).status
  api.bodies.set(path, { ...body, tenancy })
  const first = start()
  await beginFollowing(first)
  const removals: number[] = []
  await follow(first, {
    onPass: (_, removed) => removals.push(removed),
    pause: async () => {
      // This process has seen the tenant, so its last resource is gone.
      api.bodies.delete(path)
      return removals.length < 11
    },
  })
  expect(removals).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  expect(await status()).toBe(404)

  api.bodies.set(path, { ...body, tenancy })
  await mirrorOnce(start())
  // From now on, as if the token did not see the tenant.
  api.bodies.delete(path)
  findings.length = 0
  await mirrorOnce(start())
  expect(await finish(start())).toBe(false)
  expect(await status()).toBe(200)
  const text = expect.stringMatching(
    /^it is not removed: the source shows no resource of its tenant/,
  )
  expect(findings.filter((finding) => finding.id === id)).toEqual(
    [1, 2].map(() => ({ effect: 'kept', kind: 'Cluster', id, text })),
  )

  // Nor does an empty source remove anything.
  api.bodies.clear()
  await mirrorOnce(start())
  expect((await server.get('/clusters')).body.total).toBe(clusters.length)
})

test('an empty database removes nothing', async () => {
  await using first = await recordedDatabase('main')
  await using firstSource = await openDatabaseSource(first.url)
  const followed = { ...following, source: firstSource }
  await beginFollowing(followed)
  await mirrorOnce(followed)
  await query(first.url, 'delete from resources')
  await mirrorOnce(followed)
  expect(await finish(followed)).toBe(false)
  expect((await server.get('/clusters')).body.total).toBe(24)
})

test('two schemas of a database are two sources', async () => {
  await using first = await recordedDatabase('main')
  await using firstSource = await openDatabaseSource(first.url)
  const tables = [
    'adapter_statuses',
    'resource_conditions',
    'resource_labels',
    'resource_references',
  ]
  await query(
    first.url,
    `create schema empty; ${['resources', ...tables]
      .map((table) => `create table empty.${table} (like public.${table});`)
      .join(' ')}`,
  )
  const url = new URL(first.url)
  url.searchParams.set('options', '-c search_path=empty')
  await using emptySource = await openDatabaseSource(url.href)
  const followed = { ...following, source: firstSource }
  await beginFollowing(followed)
  await mirrorOnce(followed)
  await expect(beginFollowing({ ...following, source: emptySource })).rejects.toThrow(
    /^the target has 48 resources that the source lacks/,
  )
  expect(emptySource.title).toContain(`schema empty of database ${first.name}`)
  expect(await finish(followed)).toBe(true)
})

test('a page of a follower notices that the target was opened while it waited', async () => {
  await using single = openTestDatabase(server.databaseUrl, undefined, { poolSize: 1 })
  await markCompared(database, await closeForWrites(database), source.title)
  const { id } = await renewGuard(database, source.title)
  const page = (): Promise<void> =>
    single.transaction((transaction) => writeAsFollower(transaction, id))
  // The session caches the name of the guard.
  await page()
  const waiting = `select 1 from pg_locks join pg_database on pg_database.oid = database
    where datname = current_database() and not granted and objid::bigint = ${LOCK} & 4294967295`
  await using other = await openClient(server.databaseUrl)
  await other.query(`begin; select pg_advisory_xact_lock(${LOCK})`)
  const [result] = await Promise.all([
    page().catch((error: unknown) => error),
    (async () => {
      await expect.poll(async () => (await other.query(waiting)).rowCount, LONG).toBe(1)
      await other.query('drop function require_import cascade; commit')
    })(),
  ])
  expect(result).toMatchObject({ message: expect.stringContaining('the import is finished') })
})
