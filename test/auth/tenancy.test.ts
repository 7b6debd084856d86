import { request as httpRequest } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { newName, queryDatabase } from '../support/fixtures.ts'
import { fullReport } from '../support/lifecycle.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import {
  type Caller,
  callerWith,
  made,
  SYSTEM_HEADERS,
  TENANT_ENV,
  tenantHeaders,
} from './tenants.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { openWatch } from '../watch/watch-client.ts'

const ACME = tenantHeaders('acme')
const UMBRELLA = tenantHeaders('umbrella')

let server: TestServer
let acme: Caller
let umbrella: Caller
let system: Caller

beforeAll(async () => {
  server = await startTestServer({ env: TENANT_ENV, kinds: referringKinds })
  acme = callerWith(server, ACME)
  umbrella = callerWith(server, UMBRELLA)
  system = callerWith(server, SYSTEM_HEADERS)
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

function networkBody(name = newName()) {
  return { kind: 'Network', name, spec: {} }
}

function subnetBody(more: object = {}) {
  return { kind: 'Subnet', name: newName(), spec: {}, ...more }
}

describe('a resource of a tenant', () => {
  it('shows its tenancy and the identity that the gateway states', async () => {
    const { body } = await acme.post('/networks', networkBody())
    expect(body).toMatchObject({
      tenancy: { org: 'acme', project: 'web' },
      created_by: 'ada@acme.example.com',
    })
    const found = await acme.get(`/networks/${body.id}`)
    expect(found.body).toEqual(body)
    const listed = await acme.get(`/networks?search=${encodeURIComponent(`id='${body.id}'`)}`)
    expect(listed.body.items).toEqual([body])
    const selected = await acme.get('/networks?fields=tenancy&pageSize=1')
    expect(selected.body.items[0]).toEqual({
      id: expect.any(String),
      tenancy: { org: 'acme', project: 'web' },
    })
  })

  it('ignores a tenancy in the body, and no patch can change it', async () => {
    const body = { ...networkBody(), tenancy: { org: 'umbrella', project: 'web' } }
    const created = await acme.post('/networks', body)
    expect(created.body.tenancy).toEqual({ org: 'acme', project: 'web' })
    const path = `/networks/${created.body.id}`
    const patched = await acme.send('PATCH', path, { tenancy: { org: 'umbrella' } })
    expect(patched.status).toBe(400)
    const merged = await acme.send(
      'PATCH',
      path,
      { tenancy: { org: 'umbrella' } },
      { 'Content-Type': 'application/merge-patch+json' },
    )
    expect(merged.status).toBe(400)
  })

  it('is invisible to a tenant that differs in one dimension', async () => {
    const { id } = await made(acme, '/networks', networkBody())
    const sibling = callerWith(server, tenantHeaders('acme', 'other'))
    expect((await sibling.get(`/networks/${id}`)).status).toBe(404)
  })

  it('has children of its tenant alone', async () => {
    const { id } = await made(acme, '/networks', networkBody())
    const child = await acme.post(`/networks/${id}/subnets`, subnetBody())
    expect(child.body.tenancy).toEqual({ org: 'acme', project: 'web' })
    const refused = await umbrella.post(`/networks/${id}/subnets`, subnetBody())
    expect(refused.body.detail).toBe(`Network with id='${id}' not found`)
  })
})

describe('names are unique per tenant', () => {
  it('lets two tenants use one name, and each of them once', async () => {
    const body = networkBody()
    const first = await made(acme, '/networks', body)
    const second = await made(umbrella, '/networks', body)
    expect(first.id).not.toBe(second.id)
    expect((await acme.post('/networks', body)).status).toBe(409)
    expect((await umbrella.post('/networks', body)).status).toBe(409)
  })
})

describe('creates that arrive together', () => {
  it('go each to the tenant of its caller, below parents of that tenant alone', async () => {
    const [mine, theirs] = [
      await made(acme, '/networks', networkBody()),
      await made(umbrella, '/networks', networkBody()),
    ]
    const names = Array.from({ length: 12 }, () => newName())
    const answers = await Promise.all(
      names.flatMap((name) => [
        acme.post('/networks', networkBody(name)),
        umbrella.post('/networks', networkBody(name)),
        acme.post(`/networks/${mine.id}/subnets`, subnetBody()),
        acme.post(`/networks/${theirs.id}/subnets`, subnetBody()),
      ]),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toEqual(names.flatMap(() => [201, 201, 201, 404]))
    for (const [index, { body, status }] of answers.entries()) {
      if (status !== 201) continue
      const reader = index % 4 === 1 ? umbrella : acme
      const path = index % 4 === 2 ? `/subnets/${body.id}` : `/networks/${body.id}`
      expect((await reader.get(path)).body).toEqual(body)
    }
  })
})

describe('idempotency keys are per tenant', () => {
  it('makes two resources of one key, and replays each to its tenant', async () => {
    const key = { 'Idempotency-Key': newName(), 'X-HyperFleet-Identity': 'shared@example.com' }
    const body = networkBody()
    const send = (caller: Caller) => caller.send('POST', '/networks', body, key)
    const [first, second] = [await send(acme), await send(umbrella)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(first.body.id).not.toBe(second.body.id)
    const replayed = await send(umbrella)
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    expect(replayed.body).toEqual(second.body)
  })
})

describe('references stay within a tenant', () => {
  it("refuses to refer to another tenant's resource as if it did not exist", async () => {
    const [mine, theirs] = [
      await made(acme, '/networks', networkBody()),
      await made(umbrella, '/networks', networkBody()),
    ]
    const peer = await made(umbrella, `/networks/${theirs.id}/subnets`, subnetBody())
    const message = `references.peer[0]: Subnet with id='${peer.id}' not found`
    const references = { peer: [{ kind: 'Subnet', id: peer.id }] }
    const created = await acme.post(`/networks/${mine.id}/subnets`, subnetBody({ references }))
    expect(created.status, created.text).toBe(400)
    expect(created.body.detail).toContain(message)
    const own = await made(acme, `/networks/${mine.id}/subnets`, subnetBody())
    const patched = await acme.send('PATCH', `/subnets/${own.id}`, { references })
    expect(patched.status, patched.text).toBe(400)
    expect(patched.body.detail).toContain(message)
    const filtered = await acme.get(`/subnets?ref_type=peer&ref_target_id=${peer.id}`)
    expect(filtered.body).toMatchObject({ total: 0, items: [] })
  })
})

describe('no search leaves the tenant', () => {
  const HOSTILE = [
    "name != 'nothing'",
    "name = 'x' or name != 'x'",
    "name = 'x') or (name != 'x'",
    "not (name = 'x')",
    "name like '%'",
    "id in ('x') or kind = 'Network'",
    "tenant = 'x'",
    "tenancy.org = 'umbrella'",
    "labels.x = 'a' or labels.y = 'b' or generation >= 0",
    "name = 'x' or 1 = 1 --",
    "name = '\\' or tenant <> \\''",
    `name = 'x' or "tenant" <> ''`,
    "name = '' union select * from resources",
    "created_time > '1970-01-01T00:00:00Z' or spec.a = 1",
  ]

  it.each(HOSTILE)('%s', async (search) => {
    await made(acme, '/networks', networkBody())
    const theirs = await made(umbrella, '/networks', networkBody())
    const query = `search=${encodeURIComponent(search)}&pageSize=1000`
    for (const path of [`/networks?${query}`, `/resources?${query}`]) {
      const answer = await acme.get(path)
      expect([200, 400], answer.text).toContain(answer.status)
      expect(answer.text).not.toContain(theirs.id)
      if (answer.status !== 200) continue
      const orgs = answer.body.items.map(({ tenancy }: { tenancy: object }) => tenancy)
      for (const tenancy of orgs) expect(tenancy).toEqual({ org: 'acme', project: 'web' })
      expect(answer.body.total).toBe(answer.body.items.length)
    }
  })
})

describe('totals and pages count the tenant alone', () => {
  it('on lists of a kind, of a parent and of all kinds, in every order', async () => {
    const counted = callerWith(server, tenantHeaders('counted'))
    const { id } = await made(counted, '/networks', networkBody())
    for (let pool = 0; pool < 3; pool += 1) {
      await made(counted, `/networks/${id}/subnets`, subnetBody())
    }
    for (const path of ['/subnets', `/networks/${id}/subnets`, '/resources']) {
      for (const order of ['', '&orderBy=name', '&orderBy=created_time asc']) {
        const total = path === '/resources' ? 4 : 3
        const first = await counted.get(`${path}?pageSize=2${order}`)
        const second = await counted.get(`${path}?pageSize=2&page=2${order}`)
        const beyond = await counted.get(`${path}?pageSize=2&page=9${order}`)
        expect([first.body.total, second.body.total, beyond.body.total]).toEqual([
          total,
          total,
          total,
        ])
        const items = [...first.body.items, ...second.body.items]
        expect(new Set(items.map((item: { id: string }) => item.id)).size).toBe(total)
      }
    }
  })
})

describe('a watch stays within the tenant', () => {
  async function watch(path: string, headers: Readonly<Record<string, string>>) {
    const client = await openWatch(server, path, headers)
    onTestFinished(() => client[Symbol.dispose]())
    return client
  }

  it.each(['/networks', '/resources'])('of %s, live and when it is resumed', async (path) => {
    const before = await acme.get(path)
    const from = before.body.resource_version
    const live = await watch(`${path}?watch=true&resource_version=${from}`, ACME)
    const all = await watch(`${path}?watch=true&resource_version=${from}`, SYSTEM_HEADERS)
    const theirs = await made(umbrella, '/networks', networkBody())
    await umbrella.send('PATCH', `/networks/${theirs.id}`, { spec: { a: 1 } })
    await umbrella.send('DELETE', `/networks/${theirs.id}`)
    await umbrella.post(`/networks/${theirs.id}/force-delete`, { reason: 'test' })
    const mine = await made(acme, '/networks', networkBody())
    await acme.send('DELETE', `/networks/${mine.id}`)
    await acme.post(`/networks/${mine.id}/force-delete`, { reason: 'test' })
    const isEnd = ({ type, object }: { type: string; object: { id?: string } }) =>
      type === 'DELETED' && object.id === mine.id
    await live.until(isEnd)
    await all.until(isEnd)
    const resumed = await watch(`${path}?watch=true&resource_version=${from}`, ACME)
    await resumed.until(isEnd)
    const fresh = await watch(`${path}?watch=true`, ACME)
    await fresh.until(({ type }) => type === 'BOOKMARK')
    for (const client of [live, resumed, fresh]) expect(client.text).not.toContain(theirs.id)
    expect(live.changes().map(({ type }) => type)).toEqual(
      resumed.changes().map(({ type }) => type),
    )
    expect(all.text).toContain(theirs.id)
  })

  it('of the children and the reports of a parent', async () => {
    const { id } = await made(acme, '/networks', networkBody())
    const path = `/networks/${id}/subnets`
    const client = await watch(`${path}?watch=true`, ACME)
    const reports = await watch(`/networks/${id}/statuses?watch=true`, ACME)
    const child = await made(acme, path, subnetBody())
    await client.until(({ object }) => object?.id === child.id)
    await made(system, `/networks/${id}/statuses`, fullReport('router', 1))
    await reports.until(({ type }) => type === 'ADDED')
    const refused = await watch(`/networks/${id}/statuses?watch=true`, UMBRELLA)
    expect(refused.status).toBe(404)
  })
})

describe('reports of adapters', () => {
  it('come from system callers for all tenants, and from a tenant for its own', async () => {
    const mine = await made(acme, '/networks', networkBody())
    const theirs = await made(umbrella, '/networks', networkBody())
    const report = () => fullReport('router', 1)
    // Sent together, they are of one batch, whose reads and memory they share.
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all([
        system.post(`/networks/${mine.id}/statuses`, report()),
        system.post(`/networks/${theirs.id}/statuses`, report()),
        acme.post(`/networks/${mine.id}/statuses`, report()),
        acme.post(`/networks/${theirs.id}/statuses`, report()),
        umbrella.post(`/networks/${theirs.id}/statuses`, report()),
      ])
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 404, 201])
    }
  })
})

describe('the tenant of a request', () => {
  /** Sends header lines as they are; `fetch` would join or refuse some. */
  function status(lines: readonly string[]): Promise<number> {
    return new Promise((resolve, reject) => {
      const url = `${server.origin}/api/hyperfleet/v1/networks`
      const sent = httpRequest(url, { headers: lines, agent: false }, (answer) => {
        answer.resume()
        resolve(answer.statusCode ?? 0)
      })
      sent.on('error', reject).end()
    })
  }

  const ORG = ['X-Tenant-Org', 'acme']
  const PROJECT = ['X-Tenant-Project', 'web']

  it.each([
    ['complete', [...ORG, ...PROJECT], 200],
    ['in another case and order', ['x-tenant-project', 'web', 'x-TENANT-org', 'acme'], 200],
    ['with blanks within', [...ORG, 'X-Tenant-Project', 'my project'], 200],
    ['of the longest values', ['X-Tenant-Org', 'o'.repeat(256), ...PROJECT], 200],
    ['missing', [], 403],
    ['missing in one dimension', ORG, 403],
    ['empty', [...ORG, 'X-Tenant-Project', ''], 403],
    ['sent twice', [...ORG, ...ORG, ...PROJECT], 403],
    ['too long', ['X-Tenant-Org', 'o'.repeat(257), ...PROJECT], 403],
    ['not ASCII', ['X-Tenant-Org', Buffer.from('ÄCME').toString('latin1'), ...PROJECT], 403],
    ['with a tab', ['X-Tenant-Org', 'ac\tme', ...PROJECT], 403],
    ['a claim that the gateway did not find', ['X-Tenant-Org', '<nil>', ...PROJECT], 403],
    ['beside a system mark', ['X-HyperFleet-System', 'false', ...ORG, ...PROJECT], 200],
    ['replaced by a system mark', ['X-HyperFleet-System', 'true'], 200],
    [
      'replaced by two system marks',
      ['X-HyperFleet-System', 'true', 'X-HyperFleet-System', 'true'],
      403,
    ],
    ['replaced by another mark', ['X-HyperFleet-System', '1'], 403],
  ])('%s', async (_name, headers, expected) => {
    expect(await status(['Host', 'localhost', ...headers])).toBe(expected)
  })

  it('takes values apart that look like the encoding of others', async () => {
    const odd = callerWith(server, tenantHeaders('a","project":"web', 'b'))
    const { id } = await made(odd, '/networks', networkBody())
    expect((await odd.get(`/networks/${id}`)).body.tenancy).toEqual({
      org: 'a","project":"web',
      project: 'b',
    })
    expect((await callerWith(server, tenantHeaders('a')).get(`/networks/${id}`)).status).toBe(404)
  })

  it('names roots up to the longest name in tenants with the longest values', async () => {
    const identity = { 'X-HyperFleet-Identity': 'ada@example.com' }
    const values = tenantHeaders('"'.repeat(256), '\\'.repeat(256))
    const long = callerWith(server, { ...values, ...identity })
    await made(long, '/networks', networkBody('n'.repeat(53)))
  })

  it('is kept in force-deletions', async () => {
    const { id } = await made(acme, '/networks', networkBody())
    await acme.send('DELETE', `/networks/${id}`)
    expect((await acme.post(`/networks/${id}/force-delete`, { reason: 'test' })).status).toBe(204)
    const rows = await queryDatabase(server, 'select tenant from force_deletions where id = $1', [
      id,
    ])
    expect(rows).toEqual([{ tenant: '{"org":"acme","project":"web"}' }])
  })
})
