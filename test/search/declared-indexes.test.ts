import pg from 'pg'
import pino from 'pino'
import { expect, test } from 'vitest'
import { readDeclaredFields } from '../../src/store/indexes/indexed-field.ts'
import { indexesOf } from '../../src/store/indexes/resource-index.ts'
import { startIndexBuild } from '../../src/store/indexes/start-index-build.ts'
import { compareText } from '../../src/lib/text/compare-text.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startTestServer } from '../support/test-server.ts'

const NAMES = `
  select relname as name from pg_index join pg_class on pg_class.oid = indexrelid
  where relname like 'resources_declared%' and indisvalid`

/** Waits until exactly the indexes of these fields are valid. */
async function expectIndexesOf(client: pg.Client, fields: string): Promise<void> {
  const expected = readDeclaredFields(fields).flatMap(indexesOf)
  await expect
    .poll(async () =>
      (await client.query(NAMES)).rows.map(({ name }) => name).toSorted(compareText),
    )
    .toEqual(expected.map(({ name }) => name).toSorted(compareText))
}

test('an index stays until no live server declares its field', async () => {
  await using database = await createTestDatabase()
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const start = (fields: string) => {
    return startTestServer({ databaseUrl: database.url, env: { INDEXED_FIELDS: fields } })
  }
  try {
    const old = await start('Cluster:spec.region,Cluster:spec.version')
    await expectIndexesOf(client, 'Cluster:spec.region,Cluster:spec.version')
    // A rolling change: the new server starts before the old one stops.
    await using _new = await start('Cluster:spec.region,NodePool:spec.replicas')
    await expectIndexesOf(client, 'Cluster:spec.region,Cluster:spec.version,NodePool:spec.replicas')
    await using other = openTestDatabase(database.url)
    const indexes = readDeclaredFields('Cluster:spec.region').flatMap(indexesOf)
    const log = pino({ enabled: false })
    await using _build = startIndexBuild(other, { indexes, log, checkMs: 50 })
    await client.query(`drop index ${indexes[0]?.name}`)
    await expectIndexesOf(client, 'Cluster:spec.region,Cluster:spec.version,NodePool:spec.replicas')
    await old[Symbol.asyncDispose]()
    await expectIndexesOf(client, 'Cluster:spec.region,NodePool:spec.replicas')
  } finally {
    await client.end()
  }
})

test('indexes are checked again after an attempt that failed', async () => {
  await using test = await createTestDatabase()
  await using database = openTestDatabase(test.url)
  const client = new pg.Client({ connectionString: test.url })
  await client.connect()
  const failures: unknown[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => failures.push(line) })
  const indexes = readDeclaredFields('Cluster:spec.region').flatMap(indexesOf)
  try {
    await client.query('alter table servers rename to away')
    await using _build = startIndexBuild(database, { indexes, log, checkMs: 50 })
    await expect.poll(() => failures.length).toBeGreaterThan(0)
    await client.query('alter table away rename to servers')
    await expectIndexesOf(client, 'Cluster:spec.region')
  } finally {
    await client.end()
  }
})
