import { afterAll, beforeAll, expect, test } from 'vitest'
import { forget } from '../../src/cmd/maintenance/forget-tenants.ts'
import { printShards } from '../../src/cmd/maintenance/print-shards.ts'
import { type MoveCommands, moveTo } from '../../src/cmd/maintenance/shard-moves.ts'
import type { Database } from '../../src/store/database/database.ts'
import {
  findShardsOfTenants,
  placeTenant,
  setAcceptsTenants,
} from '../../src/shards/storage/directory.ts'
import { beginMove } from '../../src/shards/storage/moves.ts'
import { callerWith, made, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
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

const callerOf = (org: string, shard: TestShard = b) => callerWith(shard.server, tenantHeaders(org))

async function shardOf(org: string): Promise<string | undefined> {
  return (await findShardsOfTenants(directory, [tenantOf(org)])).get(tenantOf(org))
}

async function statesOf(org: string): Promise<readonly (string | undefined)[]> {
  const text = 'select state from tenant_states where tenant = $1'
  const states = [a, b].map(async ({ databaseUrl }) => {
    const [row] = await query<{ state: string }>(databaseUrl, text, [tenantOf(org)])
    return row?.state
  })
  return Promise.all(states)
}

async function listed(options: { showsEmpty: boolean }): Promise<readonly string[]> {
  const lines: string[] = []
  await printShards({ ...commands, print: (line) => lines.push(line) }, options)
  return lines.filter((line) => line.startsWith('  ')).map((line) => line.trim())
}

test('an empty tenant is listed, forgotten, and placed again by its next request', async () => {
  await placeTenant(directory, tenantOf('idle'), 'a')
  await placeTenant(directory, tenantOf('planned'), 'b')
  await placeTenant(directory, tenantOf('busy'), 'a')
  expect((await callerOf('idle').get('/clusters')).status).toBe(200)
  await made(callerOf('busy'), '/clusters', creation('Cluster', { name: 'kept' }))
  expect(await listed({ showsEmpty: true })).toEqual([
    'org=idle,project=web',
    'org=planned,project=web',
  ])
  expect(await listed({ showsEmpty: false })).toEqual([])

  await forget(commands, [tenantOf('idle'), tenantOf('planned')])
  expect(await listed({ showsEmpty: true })).toEqual([])
  for (const org of ['idle', 'planned']) {
    expect(await shardOf(org)).toBeUndefined()
    expect(await statesOf(org)).toEqual([undefined, undefined])
  }

  // The servers that had the tenant in memory: first in another shard, then in the same one again.
  for (const [open, closed] of [
    ['b', 'a'],
    ['a', 'b'],
    ['a', 'b'],
  ] as const) {
    await setAcceptsTenants(directory, open, true)
    await setAcceptsTenants(directory, closed, false)
    for (const shard of [a, b]) {
      // A dry run checks a write and creates nothing. The first one may only correct a cache, because
      // a request with a body is not forwarded twice.
      const dryRun = () => callerOf('idle', shard).post('/clusters?dryRun=All', creation('Cluster'))
      await expect.poll(async () => (await dryRun()).status).toBe(201)
    }
    expect(await shardOf('idle')).toBe(open)
    expect(await statesOf('idle')).toEqual(
      [a, b].map(({ name }) => (name === open ? 'active' : undefined)),
    )
    await forget(commands, [tenantOf('idle')])
  }
  for (const name of ['a', 'b']) await setAcceptsTenants(directory, name, true)
})

test('a tenant with resources stays as it is', async () => {
  await placeTenant(directory, tenantOf('owner'), 'a')
  await placeTenant(directory, tenantOf('before'), 'a')
  await made(callerOf('owner'), '/clusters', creation('Cluster', { name: 'mine' }))
  const tenants = [tenantOf('before'), tenantOf('owner')]
  await expect(forget(commands, tenants)).rejects.toThrow(
    'org=owner,project=web has resources, webhooks or records of forced deletions',
  )
  expect([await shardOf('before'), await shardOf('owner')]).toEqual([undefined, 'a'])
  expect((await callerOf('owner').get('/clusters')).body.total).toBe(1)
  await made(callerOf('owner'), '/clusters', creation('Cluster', { name: 'second' }))
})

test('a tenant that moves cannot be forgotten, and one that has moved leaves nothing', async () => {
  await placeTenant(directory, tenantOf('mover'), 'a')
  expect((await callerOf('mover').get('/clusters')).status).toBe(200)
  await beginMove(directory, tenantOf('mover'), 'b')
  await expect(forget(commands, [tenantOf('mover')])).rejects.toThrow('has an unfinished move')
  await moveTo(commands, tenantOf('mover'), 'b')
  expect(await statesOf('mover')).toEqual(['departed', 'active'])
  await forget(commands, [tenantOf('mover')])
  expect(await statesOf('mover')).toEqual([undefined, undefined])
  await expect(forget(commands, [tenantOf('mover')])).rejects.toThrow('is in no shard')
})

test('a write that runs while its tenant is forgotten keeps the tenant', async () => {
  await placeTenant(directory, tenantOf('writer'), 'a')
  expect((await callerOf('writer').get('/clusters')).status).toBe(200)
  await placeTenant(directory, tenantOf('model'), 'a')
  await made(callerOf('model'), '/clusters', creation('Cluster', { name: 'model' }))
  const write = await holdTransaction(
    a,
    `insert into resources select (json_populate_record(model,
        json_build_object('id', 'raced', 'tenant', '${tenantOf('writer')}'))).*
      from resources as model where name = 'model'`,
  )
  const forgetting = forget(commands, [tenantOf('writer')])
  await expect.poll(() => statesOf('writer')).toEqual(['frozen', undefined])
  await write.commit()
  await expect(forgetting).rejects.toThrow('org=writer,project=web has resources')
  expect([await shardOf('writer'), await statesOf('writer')]).toEqual(['a', ['active', undefined]])
})
