import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, migrationNames } from '../../src/store/database/migrate.ts'
import { startProgram } from '../process/program.ts'
import { startDebianPostgres } from '../storage/debian-postgres.ts'
import { backupOf, restoreTo } from '../support/memory-backup.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url))

/** Characters that PostgreSQL escapes in the text format of COPY. */
const AWKWARD = { text: 'a\tb\nc\\d\r\\.\n\\.\n\\N', empty: '', quote: `"'`, emoji: '⛵' }

const REPORT = {
  adapter: 'validator',
  observed_generation: 1,
  observed_time: '2026-01-02T03:04:05.678Z',
  conditions: [{ type: 'Available', status: 'False', reason: 'Quota', message: 'no\nquota' }],
  data: { nested: [1, 2.5, null, AWKWARD] },
}

let folder: string
let file: string
let source: TestDatabase
let before: Record<string, unknown>
let oldVersion: string
let printed: string

/** The resources and objects of a server, as clients see them. */
async function contentOf(server: TestServer): Promise<Record<string, unknown>> {
  const { body: clusters } = await server.get('/clusters')
  const { body: nodepools } = await server.get('/nodepools')
  const { body: statuses } = await server.get(`/clusters/${clusters.items[0].id}/statuses`)
  const maps = await fetch(`${server.origin}/api/v1/namespaces/default/configmaps/settings`)
  const { data }: { data?: unknown } = Object(await maps.json())
  const items = [clusters, nodepools, statuses].map((list) => list.items)
  return { items, data }
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-backup-'))
  file = path.join(folder, 'fleet.backup.gz')
  source = await createTestDatabase()
  await using server = await startTestServer({ databaseUrl: source.url })
  const cluster = { kind: 'Cluster', name: 'oslo', spec: AWKWARD, labels: { crew: 'a\\b' } }
  const { body } = await server.post('/clusters', cluster)
  await server.post(`/clusters/${body.id}/nodepools`, { kind: 'NodePool', name: 'np1', spec: {} })
  await server.post(`/clusters/${body.id}/statuses`, REPORT)
  await fetch(`${server.origin}/api/v1/namespaces/default/configmaps`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ metadata: { name: 'settings' }, data: AWKWARD }),
  })
  before = await contentOf(server)
  oldVersion = (await server.get('/clusters')).body.resource_version
  // The server runs during the backup.
  await using backup = startProgram({ DATABASE_URL: source.url }, ['backup', file])
  await backup.exited
  printed = backup.errors()
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

function restore(url: string, ...args: readonly string[]) {
  return startProgram({ DATABASE_URL: url }, ['restore', ...args])
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

async function clustersIn(url: string): Promise<number> {
  const { rows } = await withClient(url, (client) =>
    client.query<{ count: number }>(
      `select count(*)::integer as count from resources where kind = 'Cluster'`,
    ),
  )
  return rows[0]?.count ?? -1
}

test('a restored database serves the same resources, reports and objects, with a new epoch', async () => {
  await using target = await createTestDatabase('embedded', { template: null })
  await using program = restore(target.url, file)
  expect(await program.exited, program.errors()).toBe(0)
  expect(program.errors()).toMatch(/Restored the backup of 20.*Z, made by Flotilla/)

  await using server = await startTestServer({ databaseUrl: target.url })
  expect(await contentOf(server)).toEqual(before)
  const watch = await server.get(`/clusters?watch=true&resourceVersion=${oldVersion}`)
  expect(watch.status).toBe(410)
  const created = await server.post('/clusters', { kind: 'Cluster', name: 'bergen', spec: {} })
  expect(created.status).toBe(201)
  expect((await server.get('/clusters')).body.total).toBe(2)
})

test('a backup moves between the embedded PostgreSQL and an external one', async ({ skip }) => {
  const external = await startDebianPostgres()
  if (external === null) return skip('PostgreSQL 15 of Debian is not installed')
  await using target = await createTestDatabase('embedded', { template: null })
  try {
    await using there = restore(external.url, file)
    expect(await there.exited, there.errors()).toBe(0)
    const other = path.join(folder, 'external.backup.gz')
    await using backup = startProgram({ DATABASE_URL: external.url }, ['backup', other])
    expect(await backup.exited, backup.errors()).toBe(0)
    await using back = restore(target.url, other)
    expect(await back.exited, back.errors()).toBe(0)
  } finally {
    await external.stop()
  }
  await using server = await startTestServer({ databaseUrl: target.url })
  expect(await contentOf(server)).toEqual(before)
})

test('a backup is private, and a partial one has another name', async () => {
  expect(printed).toContain(`Wrote ${file}`)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  await using empty = await createTestDatabase('embedded', { template: null })
  const other = path.join(folder, 'other.backup.gz')
  await using program = startProgram({ DATABASE_URL: empty.url }, ['backup', other])
  expect(await program.exited).toBe(1)
  expect(program.errors()).toContain('the database has no tables of Flotilla')
  await expect(stat(other)).rejects.toThrow('ENOENT')
})

test('a backup can be verified without a database', async () => {
  await using program = startProgram({}, ['backup', '--verify', file])
  expect(await program.exited, program.errors()).toBe(0)
  expect(program.errors()).toMatch(/fleet\.backup\.gz is complete: \d+ rows of 20.*Z/)
  expect(program.errors()).toMatch(/schema: \d{14}_\w+\n$/)
})

test('a backup with a changed row or an unknown schema is rejected', async () => {
  const text = gunzipSync(await readFile(file)).toString()
  await using target = await createTestDatabase('embedded', { template: null })
  const verdictOf = async (name: string, content: string) => {
    const changed = path.join(folder, name)
    await writeFile(changed, gzipSync(content))
    await using verification = startProgram({}, ['backup', '--verify', changed])
    const code = await verification.exited
    return `${code}: ${verification.errors()}`
  }
  const changedRow = text.replace('\toslo\t', '\toxlo\t')
  expect(changedRow).not.toBe(text)
  expect(await verdictOf('row.gz', changedRow)).toMatch(/^1: .*rows of \w+ have changed/)
  await using restoration = restore(target.url, path.join(folder, 'row.gz'))
  expect(await restoration.exited, restoration.errors()).toBe(1)
  expect(await clustersIn(target.url)).toBe(0)

  const newest = (await migrationNames(MIGRATIONS)).at(-1) ?? ''
  const unknown = text.replace(`"${newest}"`, '"29990101000000_later"')
  expect(await verdictOf('schema.gz', unknown)).toMatch(/^1: .*the migration 29990101000000_later/)

  const older = text.replace(/,"checksums":\{[^}]*\}\}\n$/, '}\n')
  expect(older).not.toBe(text)
  expect(await verdictOf('older.gz', older)).toMatch(/^0: .* is complete[^]*without checksums/)
})

test('the file of an interrupted backup does not make the next one readable for others', async () => {
  const other = path.join(folder, 'again.backup.gz')
  await writeFile(`${other}.partial`, 'left over', { mode: 0o644 })
  await using program = startProgram({ DATABASE_URL: source.url }, ['backup', other])
  expect(await program.exited, program.errors()).toBe(0)
  expect((await stat(other)).mode & 0o777).toBe(0o600)
  await expect(stat(`${other}.partial`)).rejects.toThrow('ENOENT')
})

test('a restore needs a database without servers', async () => {
  await using server = await startTestServer()
  await using program = restore(server.databaseUrl, file, '--replace')
  expect(await program.exited).toBe(1)
  expect(program.errors()).toContain('stop them first')
})

test('a restore replaces resources only if asked to', async () => {
  await using target = await createTestDatabase()
  {
    await using server = await startTestServer({ databaseUrl: target.url })
    for (const name of ['one', 'two']) {
      await server.post('/clusters', { kind: 'Cluster', name, spec: {} })
    }
  }
  await using refused = restore(target.url, file)
  expect(await refused.exited).toBe(1)
  expect(refused.errors()).toContain('the database contains resources')
  expect(await clustersIn(target.url)).toBe(2)
  await using replaced = restore(target.url, file, '--replace')
  expect(await replaced.exited, replaced.errors()).toBe(0)
  expect(await clustersIn(target.url)).toBe(1)
})

test('a restore replaces the directory of shards only if asked to', async () => {
  await using target = await createTestDatabase()
  const shard = `insert into shards (name, database, servers, accepts_tenants)
    values ('a', 'postgresql://a', '{http://a}', true)`
  await withClient(target.url, (client) => client.query(shard))
  await using refused = restore(target.url, file)
  expect(await refused.exited).toBe(1)
  expect(refused.errors()).toContain('the database contains shards')
})

test('a restore empties the queues of adapters, and leaves tables of other applications', async () => {
  await using target = await createTestDatabase()
  await withClient(target.url, async (client) => {
    await client.query(`create table notes (text text)`)
    await client.query(`insert into notes values ('kept')`)
    await client.query(`insert into adapter_queues 
      (adapter, kind, epoch, revision, filled_time, used_time)
      values ('dns', 'Cluster', 'old', 1, now(), now())`)
  })
  await using program = restore(target.url, file, '--replace')
  expect(await program.exited, program.errors()).toBe(0)
  const counts = await withClient(target.url, (client) =>
    client.query(`select (select count(*)::integer from notes) as notes,
      (select count(*)::integer from adapter_queues) as queues`),
  )
  expect(counts.rows).toEqual([{ notes: 1, queues: 0 }])
})

test('a damaged backup leaves the database as it was', async () => {
  await using target = await createTestDatabase()
  const whole = await readFile(file)
  const text = gunzipSync(whole)
  const damaged = {
    'cut.gz': whole.subarray(0, whole.length / 2),
    'other.gz': gzipSync('select 1;\n'),
    'text.sql': Buffer.from('select 1;\n'),
    'short.gz': gzipSync(text.subarray(0, text.length - 30)),
    'two.gz': Buffer.concat([whole, whole]),
    'checksum.gz': Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]),
    'future.gz': gzipSync('{"flotilla_backup":2}\n'),
  }
  for (const [name, bytes] of Object.entries(damaged)) {
    const broken = path.join(folder, name)
    await writeFile(broken, bytes)
    await using program = restore(target.url, broken)
    expect(await program.exited, name).toBe(1)
    expect(program.errors(), name).toMatch(/backup/)
    expect(program.errors(), name).not.toContain('    at ')
    await using verification = startProgram({}, ['backup', '--verify', broken])
    expect(await verification.exited, name).toBe(1)
    expect(verification.errors(), name).toMatch(/backup/)
  }
  expect(await clustersIn(target.url)).toBe(0)
})

test('a backup that cannot be written fails with the reason', async () => {
  for (const target of [path.join(folder, 'missing', 'a.gz'), folder]) {
    await using program = startProgram({ DATABASE_URL: source.url }, ['backup', target])
    expect(await program.exited, target).toBe(1)
    expect(program.errors(), target).toMatch(/^flotilla backup: E(NOENT|ISDIR).*$/m)
    expect(program.errors(), target).not.toContain('    at ')
  }
})

test('an interrupted backup leaves no file', async () => {
  const other = path.join(folder, 'interrupted.backup.gz')
  const client = new pg.Client({ connectionString: source.url })
  await client.connect()
  // The backup waits for this lock.
  await client.query('begin; lock table resources in access exclusive mode')
  await using program = startProgram({ DATABASE_URL: source.url }, ['backup', other])
  await expect.poll(() => existsSync(`${other}.partial`)).toBe(true)
  program.kill('SIGINT')
  expect(await program.exited).toBe(130)
  await client.end()
  expect((await readdir(folder)).filter((name) => name.startsWith('interrupted'))).toEqual([])
})

test('a backup starts the embedded database if a power loss has ended it', async () => {
  const dataDir = path.join(folder, 'data')
  await using migration = startProgram({ DATA_DIR: dataDir }, ['migrate'])
  expect(await migration.exited, migration.errors()).toBe(0)
  const ended = 'postgresql://flotilla:secret@localhost/flotilla?host=/tmp/flotilla-ended'
  await writeFile(path.join(dataDir, 'database-url'), `${ended}\n`)
  const other = path.join(folder, 'embedded.backup.gz')
  await using program = startProgram({ DATA_DIR: dataDir }, ['backup', other])
  expect(await program.exited, program.errors()).toBe(0)
})

test('an older backup is migrated, and a newer schema rejects it', async () => {
  const names = await migrationNames(MIGRATIONS)
  await using older = await createTestDatabase('embedded', { template: null })
  await migrate(older.url, MIGRATIONS, { last: names.at(-2) ?? '' })
  const backup = await backupOf(older.url)
  await using target = await createTestDatabase('embedded', { template: null })
  await restoreTo(target.url, backup)
  expect(await migrate(target.url, MIGRATIONS)).toEqual([])
  await using newer = await createTestDatabase()
  await expect(restoreTo(newer.url, backup)).rejects.toThrow(`has the migration ${names.at(-1)}`)
})

test('usage errors exit with 2', async () => {
  for (const args of [['restore'], ['backup', 'a', 'b'], ['backup', '--wrong'], ['doctor', 'x']]) {
    await using program = startProgram({}, args)
    expect(await program.exited, args.join(' ')).toBe(2)
  }
})
