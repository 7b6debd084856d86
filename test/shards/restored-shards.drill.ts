import { TABLES } from '../../src/cmd/tables.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepIn } from '../../src/cmd/maintenance/keep-tenant.ts'
import { type MoveCommands, moveTo } from '../../src/cmd/maintenance/shard-moves.ts'
import { claimShard } from '../../src/shards/claim-shard.ts'
import type { Database } from '../../src/store/database/database.ts'
import { findShardsOfTenants, placeTenant } from '../../src/shards/storage/directory.ts'
import { beginMove } from '../../src/shards/storage/moves.ts'
import { callerWith, made, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { type MovableShards, startMovableShards, tenantOf } from './movable-shards.ts'
import { query } from './query.ts'
import { holdTransaction, type TestShard } from './shard-servers.ts'

let shards: MovableShards
let directory: Database
let a: TestShard
let b: TestShard
let commands: MoveCommands

beforeAll(async () => {
  shards = await startMovableShards()
  ;({ directory, a, b, commands } = shards)
})
afterAll(() => shards[Symbol.asyncDispose]())

async function claim({ databaseUrl, name }: TestShard): Promise<void> {
  await using database = openTestDatabase(databaseUrl)
  await claimShard({ database, directory }, TABLES, name)
}

async function stateIn(shard: TestShard, org: string): Promise<string | undefined> {
  const text = 'select state from tenant_states where tenant = $1'
  const [row] = await query<{ state: string }>(shard.databaseUrl, text, [tenantOf(org)])
  return row?.state
}

async function namesIn(shard: TestShard, org: string): Promise<string[]> {
  const text = 'select name from resources where tenant = $1 order by name'
  const rows = await query<{ name: string }>(shard.databaseUrl, text, [tenantOf(org)])
  return rows.map(({ name }) => name)
}

const callerOf = (org: string, shard: TestShard = b) => callerWith(shard.server, tenantHeaders(org))

/**
 * Moves a tenant with one cluster from a to b, and returns the rows of a to their state of before, as
 * a restore of an older backup does. The servers of a notice nothing yet.
 */
async function restoredAfterMove(org: string): Promise<void> {
  await placeTenant(directory, tenantOf(org), 'a')
  await made(callerOf(org), '/clusters', creation('Cluster', { name: 'old' }))
  const [backup] = await query<{ rows: object[] }>(
    a.databaseUrl,
    'select json_agg(resources) as rows from resources where tenant = $1',
    [tenantOf(org)],
  )
  await moveTo(commands, tenantOf(org), 'b')
  await query(
    a.databaseUrl,
    `update tenant_states set state = 'active', revision = 1 where tenant = $1`,
    [tenantOf(org)],
  )
  await query(
    a.databaseUrl,
    'insert into resources select * from json_populate_recordset(null::resources, $1)',
    [JSON.stringify(backup?.rows)],
  )
  await made(callerOf(org), '/clusters', creation('Cluster', { name: 'new' }))
}

describe('a shard whose database was restored to the time before a move', () => {
  test('is not claimed until the other shard keeps the tenant', async () => {
    await restoredAfterMove('moved')
    expect([await namesIn(a, 'moved'), await namesIn(b, 'moved')]).toEqual([
      ['old'],
      ['new', 'old'],
    ])
    await expect(claim(a)).rejects.toThrow(/org=moved,project=web \(b\).*flotilla shards keep/)
    await claim(b)
    await keepIn(commands, tenantOf('moved'), 'b')
    await claim(a)
    expect([await stateIn(a, 'moved'), await stateIn(b, 'moved')]).toEqual(['departed', 'active'])
    expect([await namesIn(a, 'moved'), await namesIn(b, 'moved')]).toEqual([[], ['new', 'old']])
    await moveTo(commands, tenantOf('moved'), 'a')
    expect(await namesIn(a, 'moved')).toEqual(['new', 'old'])
    await made(callerOf('moved', a), '/clusters', creation('Cluster', { name: 'later' }))
  })

  test('can keep the tenant itself', async () => {
    await restoredAfterMove('returned')
    await keepIn(commands, tenantOf('returned'), 'a')
    await Promise.all([claim(a), claim(b)])
    expect([await namesIn(a, 'returned'), await namesIn(b, 'returned')]).toEqual([['old'], []])
    expect([await stateIn(a, 'returned'), await stateIn(b, 'returned')]).toEqual([
      'active',
      'departed',
    ])
    // The server that runs notices the decision, although the tenant's state was active before.
    const tenant = callerOf('returned', a)
    await expect.poll(async () => (await tenant.get('/clusters')).status).toBe(200)
  })

  test('does not serve the tenant if a failover has lost its departure', async () => {
    await restoredAfterMove('failed-over')
    // The comparison waits for this transaction.
    const { end } = await holdTransaction(
      { databaseUrl: commands.directoryUrl },
      'lock table tenant_moves in access exclusive mode',
    )
    // The revision falls, as if the newest states were lost.
    await query(a.databaseUrl, 'update shard set revision = revision - 1')
    const namesThroughA = async (): Promise<string[]> => {
      const { body } = await callerOf('failed-over', a).get('/clusters?orderBy=name')
      return body.items.map(({ name }: { name: string }) => name)
    }
    await expect.poll(namesThroughA).toEqual(['old'])
    await end()
    await expect.poll(namesThroughA).toEqual(['new', 'old'])
    await keepIn(commands, tenantOf('failed-over'), 'b')
    await moveTo(commands, tenantOf('failed-over'), 'a')
    const created = callerOf('failed-over', a).post('/clusters', creation('Cluster'))
    expect((await created).status).toBe(201)
    expect((await namesIn(a, 'failed-over')).length).toBe(3)
  })
})

describe('a shard and a directory that was restored', () => {
  test('agree again about tenants that the directory lacks, also in a closed shard', async () => {
    const tenant = tenantOf('unlisted')
    await placeTenant(directory, tenant, 'a')
    await made(callerOf('unlisted'), '/clusters', creation('Cluster', { name: 'prod' }))
    await query(commands.directoryUrl, 'delete from tenant_shards where tenant = $1', [tenant])
    await query(commands.directoryUrl, `update shards set accepts_tenants = name <> 'a'`)
    await claim(a)
    await query(commands.directoryUrl, 'update shards set accepts_tenants = true')
    expect(await findShardsOfTenants(directory, [tenant])).toEqual(new Map([[tenant, 'a']]))
  })

  test('agree after the shard that serves a tenant keeps it', async () => {
    const tenant = tenantOf('outdated')
    await placeTenant(directory, tenant, 'a')
    await made(callerOf('outdated'), '/clusters', creation('Cluster', { name: 'prod' }))
    await moveTo(commands, tenant, 'b')
    await query(commands.directoryUrl, `update tenant_shards set shard = 'a' where tenant = $1`, [
      tenant,
    ])
    await expect(claim(b)).rejects.toThrow('org=outdated,project=web (a)')
    await expect(keepIn(commands, tenant, 'a')).rejects.toThrow('a does not serve the tenant')
    await keepIn(commands, tenant, 'b')
    await Promise.all([claim(a), claim(b)])
    expect([await namesIn(a, 'outdated'), await namesIn(b, 'outdated')]).toEqual([[], ['prod']])
    expect((await callerOf('outdated').get('/clusters')).body.items).toHaveLength(1)
  })
})

test('a tenant that moves is no contradiction, and cannot be kept meanwhile', async () => {
  const tenant = tenantOf('moving')
  await placeTenant(directory, tenant, 'a')
  await made(callerOf('moving'), '/clusters', creation('Cluster', { name: 'prod' }))
  await beginMove(directory, tenant, 'b')
  await query(commands.directoryUrl, `update tenant_shards set shard = 'b' where tenant = $1`, [
    tenant,
  ])
  await Promise.all([claim(a), claim(b)])
  await expect(keepIn(commands, tenant, 'a')).rejects.toThrow('unfinished move')
  await query(commands.directoryUrl, `update tenant_shards set shard = 'a' where tenant = $1`, [
    tenant,
  ])
  await query(commands.directoryUrl, 'delete from tenant_moves where tenant = $1', [tenant])
})

test('a tenant that no shard serves any more begins again in the shard that keeps it', async () => {
  const tenant = tenantOf('lost')
  await placeTenant(directory, tenant, 'a')
  await made(callerOf('lost'), '/clusters', creation('Cluster', { name: 'prod' }))
  await moveTo(commands, tenant, 'b')
  // The database of b is restored to the time before the move.
  await query(
    b.databaseUrl,
    `with raised as (update shard set revision = revision + 1 returning revision)
     update tenant_states set state = 'departed', revision = raised.revision from raised
     where tenant = $1`,
    [tenant],
  )
  await expect
    .poll(async () => (await callerOf('lost').post('/clusters', creation('Cluster'))).status)
    .toBe(503)
  await keepIn(commands, tenant, 'b')
  await expect
    .poll(async () => (await callerOf('lost').post('/clusters', creation('Cluster'))).status)
    .toBe(201)
})
