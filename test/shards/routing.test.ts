import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { callerWith, made, SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { creation, report } from '../support/fixtures.ts'
import { query } from './query.ts'
import { holdTransaction, startShards, type TestShard, type TestShards } from './shard-servers.ts'

let installation: TestShards
let first: TestShard
let second: TestShard
/** Tenants by the shard that the directory chose. */
const tenantsOf = new Map<string, string[]>()

beforeAll(async () => {
  installation = await startShards(['a', 'b'])
  first = must(installation.shards[0], 'a shard')
  second = must(installation.shards[1], 'a shard')
  // The server of the first shard acts as the router of all of them.
  for (let index = 0; index < 8; index += 1) {
    const org = `org${index}`
    await made(
      callerWith(first.server, tenantHeaders(org)),
      '/clusters',
      creation('Cluster', { name: `c-${org}` }),
    )
    const [row] = await query<{ shard: string }>(
      installation.directoryUrl,
      'select shard from tenant_shards where tenant like $1',
      [`%"${org}"%`],
    )
    const shard = must(row, 'a shard').shard
    tenantsOf.set(shard, [...(tenantsOf.get(shard) ?? []), org])
  }
})
afterAll(() => installation[Symbol.asyncDispose]())

const tenantIn = (shard: TestShard): string => must(tenantsOf.get(shard.name)?.[0], 'a tenant')

describe('tenants', () => {
  test('are placed evenly, and their resources are in the database of their shard only', async () => {
    expect([tenantsOf.get('a')?.length, tenantsOf.get('b')?.length]).toEqual([4, 4])
    for (const { name, databaseUrl } of installation.shards) {
      const rows = await query<{ name: string }>(
        databaseUrl,
        'select name from resources order by name',
      )
      expect(rows.map((row) => row.name)).toEqual(
        (tenantsOf.get(name) ?? []).map((org) => `c-${org}`).toSorted(),
      )
    }
  })

  test('are served by every server', async () => {
    for (const { server } of installation.shards) {
      const caller = callerWith(server, tenantHeaders(tenantIn(second)))
      const list = await caller.get('/clusters')
      expect(list.status).toBe(200)
      expect(list.body.items.map((item: { name: string }) => item.name)).toEqual([
        `c-${tenantIn(second)}`,
      ])
    }
  })

  test('keep status, headers and request ID of a forwarded response', async () => {
    const caller = callerWith(first.server, tenantHeaders(tenantIn(second)))
    const missing = await caller.send('GET', '/clusters/missing', undefined, {
      'X-Request-ID': 'r-1',
    })
    expect(missing.status).toBe(404)
    expect(missing.headers.get('x-request-id')).toBe('r-1')
    expect(missing.body.trace_id).toBe('r-1')
    const list = await caller.get('/clusters/by-name/c-' + tenantIn(second))
    const conditional = await caller.send('GET', `/clusters/${list.body.id}`, undefined, {
      'If-None-Match': must(list.headers.get('etag'), 'an ETag'),
    })
    expect(conditional.status).toBe(304)
  })

  test('can be created by concurrent requests to both servers in one shard only', async () => {
    const headers = tenantHeaders('fresh')
    const created = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        callerWith(must(installation.shards[index % 2], 'a shard').server, headers).post(
          '/clusters',
          creation('Cluster'),
        ),
      ),
    )
    expect(created.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201))
    const counts = await Promise.all(
      installation.shards.map(async ({ databaseUrl }) => {
        const [row] = await query<{ count: string }>(
          databaseUrl,
          `select count(*) from resources where tenant like '%"fresh"%'`,
        )
        return Number(row?.count)
      }),
    )
    expect(counts.toSorted((a, b) => a - b)).toEqual([0, 20])
  })

  test('are watched through a server of another shard', async () => {
    const headers = tenantHeaders(tenantIn(second))
    const aborted = new AbortController()
    const response = await fetch(`${first.server.origin}/api/hyperfleet/v1/clusters?watch=true`, {
      headers,
      signal: aborted.signal,
    })
    const reader = must(response.body, 'a body').pipeThrough(new TextDecoderStream()).getReader()
    let text = ''
    const until = async (part: string): Promise<void> => {
      while (!text.includes(part)) text += (await reader.read()).value ?? ''
    }
    await until('BOOKMARK')
    await made(
      callerWith(second.server, headers),
      '/clusters',
      creation('Cluster', { name: 'watched' }),
    )
    await until('"watched"')
    aborted.abort()
  })

  test('cannot forge the headers of servers', async () => {
    const response = await second.server.request('GET', '/clusters', undefined, {
      ...tenantHeaders(tenantIn(first)),
      'X-Flotilla-Shard-Key': 'a-key-that-is-not-the-right',
      'X-Flotilla-Shard-Tenant': Buffer.from('{"org":"x"}').toString('base64url'),
    })
    expect(response.body.items).toHaveLength(1)
  })

  test('without the headers of a tenant are rejected as by one server', async () => {
    expect((await first.server.get('/clusters')).status).toBe(403)
  })
})

describe('the fence of a shard', () => {
  test('rejects every write of a tenant that is not active in the database', async () => {
    const [row] = await query<{ tenant: string; id: string }>(
      first.databaseUrl,
      'select tenant, id from resources limit 1',
    )
    const { tenant, id } = must(row, 'a row')
    await query(first.databaseUrl, `update tenant_states set state = 'frozen' where tenant = $1`, [
      tenant,
    ])
    const writes = [
      `insert into resources select (jsonb_populate_record(r, '{"id":"new","name":"new"}')).* from resources r where id = $1`,
      `update resources set version = version + 1 where id = $1`,
      `delete from resources where id = $1`,
      `insert into adapter_statuses (resource_id, adapter, observed_generation, revision, conditions, data, created_time, last_report_time, observed_time, condition_type)
       values ($1, 'x', 1, 1, '[]', '{}', now(), now(), now(), 'X')`,
      `insert into objects (plane, resource, namespace, name, uid, revision, body, managed_fields, labels, owner_uids, created_time)
       values ($1, 'configmaps', '', 'x', 'u-x', 1, '{}', '[]', '{}', '{}', now())`,
    ]
    for (const write of writes) {
      await expect(query(first.databaseUrl, write, [id]), write).rejects.toMatchObject({
        code: '40T01',
      })
    }
    await query(first.databaseUrl, `update tenant_states set state = 'active' where tenant = $1`, [
      tenant,
    ])
  })

  test('answers 503 to the tenant and fails no other tenant of the same batch', async () => {
    const [one, other] = tenantsOf.get('a') ?? []
    const frozen = callerWith(first.server, tenantHeaders(must(one, 'a tenant')))
    const active = callerWith(first.server, tenantHeaders(must(other, 'a tenant')))
    const set = (state: string) =>
      query(first.databaseUrl, `update tenant_states set state = $1 where tenant like $2`, [
        state,
        `%"${one}"%`,
      ])
    await set('frozen')
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        (index % 2 === 0 ? frozen : active).post('/clusters', creation('Cluster')),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 12 }, (_, index) => (index % 2 === 0 ? 503 : 201)),
    )
    expect(answers[0]?.headers.get('retry-after')).toBe('1')
    expect(answers[0]?.body.detail).toContain('moved to another shard')
    expect((await frozen.get('/clusters')).status).toBe(200)
    await set('active')
  })
})

describe('systems', () => {
  const system = (shard: TestShard) => callerWith(shard.server, SYSTEM_HEADERS)

  test('report on resources of every shard through any server', async () => {
    const tenant = callerWith(second.server, tenantHeaders(tenantIn(second)))
    const { body } = await tenant.get(`/clusters/by-name/c-${tenantIn(second)}`)
    for (const shard of installation.shards) {
      const answer = await system(shard).post(`/clusters/${body.id}/statuses`, report('validator'))
      expect(answer.status).toBe(201)
      expect((await system(shard).get(`/clusters/${body.id}`)).body.name).toBe(body.name)
      expect((await system(shard).get(`/resources/${body.id}/statuses`)).status).toBe(200)
    }
    expect((await system(first).get('/clusters/missing')).status).toBe(404)
  })

  test('list all shards in one order, with one total', async () => {
    const all = await system(first).get('/clusters?orderBy=name&pageSize=1000')
    const names: string[] = all.body.items.map((item: { name: string }) => item.name)
    expect(names).toEqual(names.toSorted())
    expect(all.body).toMatchObject({ kind: 'ClusterList', page: 1, total: names.length })
    const paged: string[] = []
    for (let page = 1; paged.length < names.length; page += 1) {
      const { body } = await system(second).get(`/clusters?orderBy=name&pageSize=3&page=${page}`)
      expect(body.total).toBe(names.length)
      paged.push(...body.items.map((item: { name: string }) => item.name))
    }
    expect(paged).toEqual(names)
  })

  test('list one shard that they name', async () => {
    for (const { name } of installation.shards) {
      const { body } = await system(first).get(
        `/clusters?shard=${name}&search=name%20like%20'c-org%25'`,
      )
      expect(body.items.map((item: { name: string }) => item.name).toSorted()).toEqual(
        (tenantsOf.get(name) ?? []).map((org) => `c-${org}`).toSorted(),
      )
    }
  })

  test('must name a shard for what cannot be merged', async () => {
    for (const path of [
      '/clusters?watch=true',
      '/overview',
      '/label-keys',
      '/clusters?page=101',
      '/clusters?after=x',
    ]) {
      const answer = await system(first).get(path)
      expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining('shard')])
    }
    expect((await system(first).get('/overview?shard=b')).status).toBe(200)
    const unknown = await system(first).get('/clusters?shard=zz')
    expect(unknown.status).toBe(400)
    expect(unknown.body.detail).toContain('the shards are a, b')
  })

  test('get the errors and fields of an ordinary list', async () => {
    expect((await system(first).get('/clusters?page=0')).status).toBe(400)
    expect((await system(first).get('/clusters?orderBy=colour')).status).toBe(400)
    const invalid = await system(first).get("/clusters?search=colour%3D'x'")
    expect([invalid.status, invalid.body.code]).toEqual([400, expect.stringContaining('VAL')])
    const { body } = await system(first).get('/clusters?fields=name&pageSize=2')
    expect(Object.keys(body.items[0])).toEqual(['id', 'name'])
  })
})

describe('slow lists', () => {
  const LOCK = 'lock table resources in access exclusive mode'
  // Statements of background tasks wait for the lock too, but have no offset.
  const WAITING = `select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
      and query like '%from resources%offset %'`

  const expectToWait = (shard: TestShard) =>
    expect
      .poll(async () => (await query<{ count: number }>(shard.databaseUrl, WAITING))[0]?.count)
      .toBeGreaterThan(0)

  test('of a tenant are broken off after its departure, before its rows are deleted', async () => {
    const org = tenantIn(first)
    const setState = (state: string) =>
      query(
        first.databaseUrl,
        `with raised as (update shard set revision = revision + 1 returning revision)
         update tenant_states set state = $1, revision = raised.revision from raised
         where tenant like $2`,
        [state, `%"${org}"%`],
      )
    const { end } = await holdTransaction(first, LOCK)
    const list = callerWith(first.server, tenantHeaders(org)).get('/clusters')
    const outcome = list.then(
      ({ status }) => status,
      () => 'broken off',
    )
    await expectToWait(first)
    await setState('departed')
    expect(await outcome).toBe('broken off')
    await end()
    await setState('active')
  })

  test('across shards are read again if a tenant begins to move meanwhile', async () => {
    const { end } = await holdTransaction(second, LOCK)
    const list = callerWith(first.server, SYSTEM_HEADERS).get('/clusters')
    await expectToWait(second)
    await query(
      installation.directoryUrl,
      `insert into tenant_moves (tenant, source, target, step)
       select tenant, 'a', 'b', 'copied' from tenant_shards where tenant like $1`,
      [`%"${tenantIn(first)}"%`],
    )
    await end()
    const { status, body } = await list
    expect([status, body.total_is_estimate]).toEqual([200, true])
    await query(installation.directoryUrl, 'delete from tenant_moves')
  })
})
