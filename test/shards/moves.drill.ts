import { setTimeout as sleep } from 'node:timers/promises'
import { tenantPlaneOf } from '../../src/access/tenant-plane.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  abortMoveOf,
  type MoveCommands,
  moveTo,
  resumeMoves,
} from '../../src/cmd/maintenance/shard-moves.ts'
import { must } from '../../src/lib/assert.ts'
import { placeTenant } from '../../src/shards/storage/directory.ts'
import { listMoves, type MoveStep } from '../../src/shards/storage/moves.ts'
import type { Database } from '../../src/store/database/database.ts'
import { callerWith, made, SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { creation, report } from '../support/fixtures.ts'
import { type MovableShards, startMovableShards, tenantOf } from './movable-shards.ts'
import { query } from './query.ts'
import { type TestShard } from './shard-servers.ts'

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

/** A tenant in shard a with resources of every table. */
async function populated(org: string) {
  await placeTenant(directory, tenantOf(org), 'a')
  const caller = callerWith(b.server, tenantHeaders(org))
  const cluster = await made(
    caller,
    '/clusters',
    creation('Cluster', { name: 'prod', labels: { x: 'ä\n"' } }),
  )
  await made(caller, `/clusters/${cluster.id}/nodepools`, creation('NodePool', { name: 'pool' }))
  const reported = await caller.post(`/clusters/${cluster.id}/statuses`, report('validator'))
  expect(reported.status).toBe(201)
  const key = { 'Idempotency-Key': `key-${org}` }
  const body = creation('Cluster', { name: 'once' })
  expect((await caller.send('POST', '/clusters', body, key)).status).toBe(201)
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { k: 'v' } }
  const maps = `/clusters/${cluster.id}/control-plane/api/v1/namespaces/default/configmaps`
  const created = await planeRequest(b, org, 'POST', maps, map)
  expect(created.status).toBe(201)
  expect((await planeRequest(b, org, 'POST', ROOT_MAPS, map)).status).toBe(201)
  return { caller, cluster, maps, body, key }
}

/** In the root plane of the tenant. */
const ROOT_MAPS = '/api/v1/namespaces/default/configmaps'

async function planeRequest(
  shard: TestShard,
  org: string,
  method: string,
  path: string,
  body?: object,
) {
  const response = await fetch(shard.server.origin + path, {
    method,
    headers: { 'Content-Type': 'application/json', ...tenantHeaders(org) },
    ...(body && { body: JSON.stringify(body) }),
  })
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the test looks into the maps
  const answer = (await response.json()) as { items: { data: object }[] }
  return { status: response.status, body: answer }
}

async function rowsOf(shard: TestShard, org: string): Promise<number> {
  const [row] = await query<{ count: string }>(
    shard.databaseUrl,
    `select count(*) from resources where tenant = $1`,
    [tenantOf(org)],
  )
  return Number(row?.count)
}

/** Runs a move until a step is recorded, and leaves the rest undone as a killed process does. */
async function dieAfter(last: MoveStep, org: string): Promise<void> {
  const dying: MoveCommands = {
    ...commands,
    print: (line) => {
      if (last === 'started' || line.trim().startsWith(`${last} `)) throw new Error('killed')
    },
  }
  await expect(moveTo(dying, tenantOf(org), 'b')).rejects.toThrow('killed')
}

// Each move waits until the servers have read its states.
describe.concurrent('moves', () => {
  test('a tenant moves with everything that clients can see', async () => {
    const { caller, cluster, maps, body, key } = await populated('mover')
    let before = (await caller.get(`/clusters/${cluster.id}`)).body
    const hook = await made(caller, '/webhooks', { url: 'https://hooks.example.com/x' })
    const statuses = await caller.get(`/clusters/${cluster.id}/statuses`)
    await moveTo(commands, tenantOf('mover'), 'b')
    expect([await rowsOf(a, 'mover'), await rowsOf(b, 'mover')]).toEqual([0, 3])
    for (const shard of [a, b]) {
      const moved = callerWith(shard.server, tenantHeaders('mover'))
      expect((await moved.get(`/clusters/${cluster.id}`)).body).toEqual(before)
      const { items } = (await moved.get(`/clusters/${cluster.id}/statuses`)).body
      expect(items).toEqual(statuses.body.items)
      const list = await moved.get('/clusters?orderBy=name')
      expect(list.body).toMatchObject({ total: 2, items: [{ name: 'once' }, { name: 'prod' }] })
      const listedMaps = await planeRequest(shard, 'mover', 'GET', maps)
      expect(listedMaps.body.items.map(({ data }) => data)).toContainEqual({ k: 'v' })
      const ofRoot = await planeRequest(shard, 'mover', 'GET', ROOT_MAPS)
      expect(ofRoot.body.items.map(({ data }) => data)).toEqual([{ k: 'v' }])
      const repeated = await moved.send('POST', '/clusters', body, key)
      expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
      const labels = { by: shard.name }
      const patched = await moved.send('PATCH', `/clusters/${cluster.id}`, { labels })
      expect(patched.status).toBe(200)
      before = patched.body
    }
    const hooks = await query<{ id: string; overflowing: boolean }>(
      b.databaseUrl,
      'select id, overflowing from webhooks',
    )
    // Its receiver is notified that it has missed events.
    expect(hooks).toEqual([{ id: hook.id, overflowing: true }])
    expect(await query(a.databaseUrl, 'select id from webhooks')).toEqual([])
    const root = tenantPlaneOf(tenantOf('mover'))
    const left = `select name from objects where plane = $1`
    expect(await query(a.databaseUrl, left, [root])).toEqual([])
    expect(await query(b.databaseUrl, left, [root])).toEqual([{ name: 'm' }])
    const edited = await planeRequest(a, 'mover', 'PUT', `${maps}/m`, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'm' },
      data: { k: 'w' },
    })
    expect(edited.status).toBe(200)
  })

  test('a tenant that moves back and forth has the newest state each time', async () => {
    const { caller, cluster, maps } = await populated('pendulum')
    const snapshot = async () => (await caller.get(`/clusters/${cluster.id}/snapshot`)).body
    await snapshot()
    for (const target of ['b', 'a']) {
      await moveTo(commands, tenantOf('pendulum'), target)
      const patched = await caller.send('PATCH', `/clusters/${cluster.id}`, {
        spec: { at: target },
      })
      expect(patched.status).toBe(200)
      expect((await caller.get(`/clusters/${cluster.id}`)).body.spec).toEqual({ at: target })
      expect(JSON.stringify(await snapshot())).toContain(`"at":"${target}"`)
      const listed = await planeRequest(a, 'pendulum', 'GET', maps)
      expect(listed.body.items.length).toBeGreaterThan(0)
      const ofRoot = await planeRequest(a, 'pendulum', 'GET', ROOT_MAPS)
      expect(ofRoot.body.items.map(({ data }) => data)).toEqual([{ k: 'v' }])
    }
  })

  test('the history and the audit events of a tenant follow it, each entry once', async ({
    expect,
  }) => {
    await populated('neighbour')
    const { caller, cluster } = await populated('historian')
    const gone = await made(caller, '/clusters', creation('Cluster', { name: 'gone' }))
    expect((await caller.send('DELETE', `/clusters/${gone.id}`)).status).toBe(202)
    const forced = await caller.post(`/clusters/${gone.id}/force-delete`, { reason: 'test' })
    expect(forced.status).toBe(204)
    const historyOf = async (id: string): Promise<readonly { type: string }[]> =>
      (await caller.get(`/clusters/${id}/history`)).body.items
    const audited = `resource = 'clusters' and verb = 'create' and name = 'gone'`
    const events = async () =>
      (await caller.get(`/audit?search=${encodeURIComponent(audited)}`)).body.items
    await expect.poll(async () => (await historyOf(gone.id))[0]?.type).toBe('removed')
    await expect.poll(async () => (await events()).length).toBe(1)
    const before = [await historyOf(cluster.id), await historyOf(gone.id), await events()]
    for (const target of ['b', 'a', 'b']) {
      await moveTo(commands, tenantOf('historian'), target)
      expect([await historyOf(cluster.id), await historyOf(gone.id), await events()]).toEqual(
        before,
      )
    }
    const { body } = await caller.get(`/clusters/${cluster.id}/history`)
    expect(body.complete).toBe(true)
    const foreign = 'select tenant from resource_history where tenant = $1'
    expect(await query(a.databaseUrl, foreign, [tenantOf('neighbour')])).not.toEqual([])
    expect(await query(b.databaseUrl, foreign, [tenantOf('neighbour')])).toEqual([])
  })

  test('watches of a tenant end, expire at the other shard, and see no deletion', async ({
    expect,
  }) => {
    const { caller } = await populated('watcher')
    const { body } = await caller.get('/clusters')
    const url = `/api/hyperfleet/v1/clusters?watch=true&resourceVersion=${body.resource_version}`
    const response = await fetch(a.server.origin + url, { headers: tenantHeaders('watcher') })
    const received: string[] = []
    const ended = receiveUntilEnd(response, received)
    const { name } = await made(caller, '/clusters', creation('Cluster'))
    await expect.poll(() => received.join('')).toContain(`"name":"${name}"`)
    await moveTo(commands, tenantOf('watcher'), 'b')
    await ended
    expect(received.join('')).not.toContain('DELETED')
    const resumed = await fetch(a.server.origin + url, { headers: tenantHeaders('watcher') })
    expect(resumed.status).toBe(410)
    await resumed.text()
  })

  test('writes are never lost or applied twice while their tenant moves', async () => {
    await populated('busy')
    const tenants = [a, b].map(({ server }) => callerWith(server, tenantHeaders('busy')))
    const acknowledged: string[] = []
    const done = new AbortController()
    const write = async (writer: number): Promise<void> => {
      for (let index = 0; !done.signal.aborted; index += 1) {
        const name = `w${writer}-${index}`
        const caller = must(tenants[(writer + index) % 2], 'a caller')
        for (;;) {
          const answer = await caller.send('POST', '/clusters', creation('Cluster', { name }), {
            'Idempotency-Key': name,
          })
          if (answer.status === 201) break
          expect(answer.status).toBe(503)
          await sleep(20)
        }
        acknowledged.push(name)
        // Without a pause, the writers would occupy a core for the whole move.
        await sleep(50)
      }
    }
    const writers = Promise.all([0, 1, 2, 3].map(write))
    try {
      await moveTo(commands, tenantOf('busy'), 'b')
    } finally {
      done.abort()
      await writers
    }
    const rows = await query<{ name: string }>(
      b.databaseUrl,
      `select name from resources where tenant = $1 and name like 'w%'`,
      [tenantOf('busy')],
    )
    expect(rows.map(({ name }) => name).toSorted()).toEqual(acknowledged.toSorted())
    expect(await rowsOf(a, 'busy')).toBe(0)
  })

  test('a tenant with running sandboxes does not move, and keeps accepting writes', async () => {
    const { caller, cluster } = await populated('running')
    const start = `
      insert into sandbox_states (uid, plane, namespace, name, fence, phase, created_time)
      values ('running', $1, 'default', 's', 1, 'Running', now())`
    await query(a.databaseUrl, start, [cluster.id])
    const moving = moveTo(commands, tenantOf('running'), 'b')
    await expect(moving).rejects.toThrow('1 sandboxes of the tenant run on machines of a: suspend')
    const patched = await caller.send('PATCH', `/clusters/${cluster.id}`, { spec: { n: 1 } })
    expect(patched.status).toBe(200)
    await query(a.databaseUrl, `update sandbox_states set phase = 'Absent' where uid = 'running'`)
    await moveTo(commands, tenantOf('running'), 'b')
    expect([await rowsOf(a, 'running'), await rowsOf(b, 'running')]).toEqual([0, 3])
  })

  test.each<MoveStep>([
    'started',
    'frozen',
    'copied',
    'assigned',
    'departed',
    'activated',
    'recorded',
  ])('a move that dies after the step %s is resumed', async (last) => {
    const org = `dies-${last}`
    const { caller, cluster } = await populated(org)
    await dieAfter(last, org)
    await moveTo(commands, tenantOf(org), 'b')
    expect([await rowsOf(a, org), await rowsOf(b, org)]).toEqual([0, 3])
    expect((await caller.send('PATCH', `/clusters/${cluster.id}`, { spec: { n: 1 } })).status).toBe(
      200,
    )
  })

  test.each<MoveStep>(['started', 'frozen', 'copied'])(
    'a move that dies after the step %s is undone by an abort',
    async (last) => {
      const org = `back-${last}`
      const { caller, cluster } = await populated(org)
      await dieAfter(last, org)
      await abortMoveOf(commands, tenantOf(org))
      expect([await rowsOf(a, org), await rowsOf(b, org)]).toEqual([3, 0])
      expect(
        (await caller.send('PATCH', `/clusters/${cluster.id}`, { spec: { n: 1 } })).status,
      ).toBe(200)
    },
  )
})

test('lists across shards show a tenant once during its move', async () => {
  await populated('once')
  const system = callerWith(a.server, SYSTEM_HEADERS)
  const search = encodeURIComponent("name = 'prod' or name = 'once'")
  const count = async (): Promise<number> => {
    const { body } = await system.get(`/clusters?pageSize=1000&search=${search}`)
    return body.items.filter((item: { tenancy: { org: string } }) => item.tenancy.org === 'once')
      .length
  }
  await dieAfter('copied', 'once')
  expect([await count(), await rowsOf(b, 'once')]).toEqual([2, 3])
  await abortMoveOf(commands, tenantOf('once'))
  for (const step of ['assigned', 'recorded'] as const) {
    await dieAfter(step, 'once')
    expect([await count(), await rowsOf(a, 'once')]).toEqual([2, 3])
  }
  await resumeMoves(commands)
  expect(await listMoves(directory)).toEqual([])
  expect(await count()).toBe(2)
})

/** Collects the text of a response up to its end, or until the server breaks it off. */
async function receiveUntilEnd({ body }: Response, parts: string[]): Promise<void> {
  try {
    const text = must(body, 'a body').pipeThrough(new TextDecoderStream())
    for await (const part of text) parts.push(part)
  } catch (error) {
    expect(error).toMatchObject({ message: 'terminated' })
  }
}
