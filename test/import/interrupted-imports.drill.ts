import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClient } from '../../src/store/database/connection/open-client.ts'
import { type Program, startProgram } from '../process/program.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { blockRow, type BlockedRow } from './blocked-row.ts'
import { copyResources } from './copy-resources.ts'
import { query, recordedDatabase } from './recorded.ts'

/** Two pages of clusters, and two of node pools. */
const COPIES = 34
const RESOURCES = 48 * (COPIES + 1)
const PAGE_SIZE = 500

let source: TestDatabase

beforeAll(async () => {
  source = await recordedDatabase('main')
  await using client = await openClient(source.url)
  await copyResources(client, { copies: COPIES, where: 'true' })
})

afterAll(() => source[Symbol.asyncDispose]())

function startImport(env: NodeJS.ProcessEnv, ...flags: readonly string[]): Program {
  return startProgram(env, ['import', 'hyperfleet', '--from', source.url, ...flags])
}

/** Kills an import in the transaction that writes a row. */
async function killAt(url: string, row: BlockedRow, flags: readonly string[] = []): Promise<void> {
  await using block = await blockRow(url, row)
  await using program = startImport({ DATABASE_URL: url }, ...flags)
  await block.reached(program)
  program.kill('SIGKILL')
  await program.exited
}

/** The resource at a place in the order of an import. */
async function idAt(kind: 'Cluster' | 'NodePool', place: number): Promise<string> {
  const [row] = await query(
    source.url,
    `select id from resources where kind = '${kind}' and id in (select resource_id from adapter_statuses)
       and id > (select id from resources where kind = '${kind}' order by id offset ${place} limit 1)
     order by id limit 1`,
  )
  return (row as { id: string }).id
}

/** The ids of all resources, with the adapters that have reported. */
function rowsOf(url: string): Promise<readonly object[]> {
  return query(
    url,
    `select id collate "C" as id, generation, updated_time::text, array(
       select adapter::text from adapter_statuses where resource_id = resources.id order by 1) as adapters
     from resources order by 1`,
  )
}

async function expectEqual(url: string): Promise<void> {
  expect(await rowsOf(url)).toEqual(await rowsOf(source.url))
}

test('an import that is killed in pages continues with nothing lost or doubled', async () => {
  await using target = await createTestDatabase()
  const [inPage, inReports, atCommit] = [
    await idAt('Cluster', PAGE_SIZE),
    await idAt('NodePool', 0),
    await idAt('NodePool', PAGE_SIZE),
  ]
  const totalOf = async (): Promise<unknown> =>
    query(target.url, 'select count(*)::integer as total from resources')

  await killAt(target.url, { table: 'resources', id: inPage, at: 'statement' })
  expect(await totalOf()).toEqual([{ total: PAGE_SIZE }])
  await killAt(target.url, { table: 'adapter_statuses', id: inReports, at: 'statement' })
  expect(await totalOf()).toEqual([{ total: 24 * (COPIES + 1) }])
  await killAt(target.url, { table: 'resources', id: atCommit, at: 'commit' })
  expect(await totalOf()).toEqual([{ total: RESOURCES }])

  await using program = startImport({ DATABASE_URL: target.url })
  expect([await program.exited, program.output()]).toEqual([0, ''])
  expect(program.errors()).toContain(`Read ${RESOURCES}: 0 imported`)
  expect(program.errors()).toContain(`Compared ${RESOURCES}: ${RESOURCES} are the same, 0 differ`)
  await expectEqual(target.url)
})

test('a follower that is killed continues with the changes of its source', async () => {
  await using target = await createTestDatabase()
  const { url } = target
  const inPage = await idAt('NodePool', 0)
  await killAt(url, { table: 'resources', id: inPage, at: 'statement' }, ['--follow'])
  await expect(query(url, 'delete from resources')).rejects.toThrow('an import follows its source')

  await query(
    source.url,
    `update resources set generation = 9, updated_time = now() where name = 'cluster-01-7';
     delete from adapter_statuses where resource_id = '${inPage}';
     delete from resources where id = '${inPage}';
     insert into resources (id, kind, name, created_by, updated_by, spec)
     values ('added', 'Cluster', 'added', 'a', 'a', '{}')`,
  )
  await using second = startImport({ DATABASE_URL: url }, '--follow')
  const wanted = await rowsOf(source.url)
  await expect.poll(() => rowsOf(url), { timeout: 120_000, interval: 200 }).toEqual(wanted)
  second.kill('SIGKILL')
  await second.exited

  await query(
    source.url,
    `delete from resources where id = 'added';
     insert into adapter_statuses (
       id, resource_type, resource_id, adapter, observed_generation, conditions)
     select 'new', kind, id, 'late', 1, '[]' from resources where name = 'cluster-01-8'`,
  )
  await using last = startImport({ DATABASE_URL: url }, '--finish')
  expect([await last.exited, last.output()]).toEqual([0, ''])
  await expectEqual(url)
  await query(url, 'delete from resources')
})

test('an import continues after its target is killed', async () => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-import-'))
  const env = { DATA_DIR: dataDir }
  try {
    {
      await using server = startProgram(env)
      await server.ready()
      const url = readFileSync(path.join(dataDir, 'database-url'), 'utf8').trim()
      const inPage = await idAt('Cluster', PAGE_SIZE)
      const block = await blockRow(url, { table: 'resources', id: inPage, at: 'statement' })
      await using program = startImport(env)
      await block.reached(program)
      const [postmaster] = readFileSync(
        path.join(dataDir, 'postgres/postmaster.pid'),
        'utf8',
      ).split('\n')
      server.kill('SIGKILL')
      process.kill(Number(postmaster), 'SIGKILL')
      expect(await program.exited).toBe(1)
      expect(program.errors()).toMatch(/connection/i)
      await server.exited
    }
    await using server = startProgram(env)
    await server.ready()
    const url = readFileSync(path.join(dataDir, 'database-url'), 'utf8').trim()
    await query(url, 'drop function block_row cascade')
    await using program = startImport(env)
    expect([await program.exited, program.output()]).toEqual([0, ''])
    expect(program.errors()).toContain(`${PAGE_SIZE} unchanged`)
    await expectEqual(url)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
})
