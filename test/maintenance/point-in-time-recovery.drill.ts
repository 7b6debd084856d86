import { appendFile, chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { createDebianCluster, type DebianCluster } from '../storage/debian-postgres.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

/** The folder of the archive in the published configuration. */
const ARCHIVE = '/var/lib/postgresql/archive'

/** A published configuration file, with this archive. */
async function configuration(name: string, archive: string): Promise<string> {
  const file = fileURLToPath(new URL(`../../deploy/postgresql/${name}`, import.meta.url))
  return (await readFile(file, 'utf8')).replaceAll(ARCHIVE, archive)
}

async function query<Row extends object>(url: string, text: string): Promise<Row> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<Row>(text)
    return must(rows[0], text)
  } finally {
    await client.end()
  }
}

async function create(server: TestServer, name: string): Promise<void> {
  const { status } = await server.post('/clusters', { kind: 'Cluster', name, spec: {} })
  expect(status).toBe(201)
}

async function namesIn(server: TestServer): Promise<readonly string[]> {
  const { body } = await server.get('/clusters?orderBy=name')
  return body.items.map(({ name }: { name: string }) => name)
}

/** Writes clusters and loses the primary. Returns the moment before the mistake. */
async function loseThePrimary(cluster: DebianCluster, archive: string) {
  const data = path.join(cluster.directory, 'data')
  await appendFile(
    path.join(data, 'postgresql.conf'),
    await configuration('archiving.conf', archive),
  )
  const primary = await cluster.start('data')
  const server = await startTestServer({ databaseUrl: primary.url })
  await create(server, 'before-the-base-backup')
  const socket = `--dbname=${primary.url}`
  await cluster.run('pg_basebackup', '--pgdata=base', '--checkpoint=fast', socket)
  await create(server, 'after-the-base-backup')
  const { time } = await query<{ time: string }>(
    primary.url,
    `select clock_timestamp()::text as time from pg_sleep(0.05)`,
  )
  await create(server, 'the-mistake')
  const version: string = (await server.get('/clusters')).body.resource_version
  const { file } = await query<{ file: string }>(
    primary.url,
    'select pg_walfile_name(pg_switch_wal()) as file',
  )
  await expect
    .poll(() =>
      query(
        primary.url,
        'select last_archived_wal >= $$' + file + '$$ as done from pg_stat_archiver',
      ),
    )
    .toEqual({ done: true })
  await server[Symbol.asyncDispose]()
  await primary.stop()
  await rm(data, { recursive: true })
  return { time, version }
}

test('a base backup and archived WAL recover the state of a moment', async () => {
  await using cluster = must(await createDebianCluster(), 'PostgreSQL of Debian')
  const archive = path.join(cluster.directory, 'archive')
  await mkdir(archive)
  // The account of PostgreSQL writes to it.
  await chmod(archive, 0o777)
  const { time, version } = await loseThePrimary(cluster, archive)
  const base = path.join(cluster.directory, 'base')
  const recovery = await configuration('recovery.conf', archive)
  const target = recovery.replace(/(recovery_target_time = )'.*'/, `$1'${time}'`)
  await appendFile(path.join(base, 'postgresql.conf'), target)
  await writeFile(path.join(base, 'recovery.signal'), '')
  const recovered = await cluster.start('base')
  try {
    await expect
      .poll(() => query(recovered.url, 'select pg_is_in_recovery() as recovering'))
      .toEqual({ recovering: false })
    await using server = await startTestServer({ databaseUrl: recovered.url })
    expect(await namesIn(server)).toEqual(['after-the-base-backup', 'before-the-base-backup'])
    // The revisions of the lost changes are assigned again, so resource versions must be rejected.
    const watch = await server.get(`/clusters?watch=true&resourceVersion=${version}`)
    expect(watch.status).toBe(410)
    await create(server, 'after-the-recovery')
    expect(await namesIn(server)).toHaveLength(3)
  } finally {
    await recovered.stop()
  }
})
