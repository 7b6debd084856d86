import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import { placeTenant } from '../../src/shards/storage/directory.ts'
import { type KeyServer, serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { must } from '../../src/lib/assert.ts'
import { listen } from '../../src/lib/listen.ts'
import { callerWith, made, SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { query } from './query.ts'
import {
  register,
  SHARD_KEY,
  startShards,
  type TestShard,
  type TestShards,
} from './shard-servers.ts'

const KEY = signingKey('RS256', 'current')
const TOKEN = KEY.bearer({
  email: 'ada@example.com',
  exp: Math.floor(Date.now() / 1000) + 3600,
})
const AUTHENTICATED = { Authorization: TOKEN }
const LOCATE = '/.flotilla/tenant-of?id='

let keys: KeyServer
let installation: TestShards
let first: TestShard
let second: TestShard
/** A cluster of a tenant in the second shard. */
let clusterId: string

beforeAll(async () => {
  keys = await serveKeys(KEY)
  installation = await startShards(['a', 'b'], () => ({ JWT_JWKS_URL: keys.url }))
  first = must(installation.shards[0], 'a shard')
  second = must(installation.shards[1], 'a shard')
  await using directory = openTestDatabase(installation.directoryUrl)
  await placeTenant(directory, encodeTenant({ org: 'acme', project: 'web' }), 'b')
  const acme = callerWith(first.server, { ...tenantHeaders('acme'), ...AUTHENTICATED })
  clusterId = (await made(acme, '/clusters', creation('Cluster', { name: 'mine' }))).id
})
afterAll(async () => {
  await installation[Symbol.asyncDispose]()
  await keys[Symbol.asyncDispose]()
})

async function ask(headers: Readonly<Record<string, string>>, shard = first) {
  const response = await fetch(`${shard.server.origin}${LOCATE}${clusterId}`, { headers })
  return { status: response.status, text: await response.text() }
}

test('no client can ask for the tenant of a resource through a server of another shard', async () => {
  const forged = { 'X-Flotilla-Shard-Key': SHARD_KEY, 'X-Flotilla-Shard-Question': 'x' }
  const callers = [tenantHeaders('acme'), tenantHeaders('evil'), SYSTEM_HEADERS, {}]
  for (const shard of [first, second]) {
    for (const caller of callers) {
      for (const more of [{}, forged]) {
        const { status, text } = await ask({ ...caller, ...more }, shard)
        expect(status).toBe(401)
        expect(text).not.toContain('acme')
      }
    }
    const { status } = await ask({ ...tenantHeaders('acme'), ...AUTHENTICATED }, shard)
    expect(status).toBe(404)
  }
})

test('a server asks the others for the tenant of a resource', async () => {
  const system = callerWith(first.server, { ...SYSTEM_HEADERS, ...AUTHENTICATED })
  expect(await system.get(`/clusters/${clusterId}`)).toMatchObject({
    status: 200,
    body: { id: clusterId, name: 'mine' },
  })
})

test('the credential of a question is not in forwarded requests', async () => {
  const received: { readonly url: string | undefined; readonly headers: IncomingHttpHeaders }[] = []
  const server = createServer((request, response) => {
    received.push({ url: request.url, headers: request.headers })
    request.resume().once('end', () => response.end('{"tenant": null}'))
  })
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  const origin = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  onTestFinished(async () => {
    await query(installation.directoryUrl, `delete from tenant_shards where shard = 'recorder'`)
    await query(installation.directoryUrl, `delete from shards where name = 'recorder'`)
  })
  await register(installation.directoryUrl, {
    name: 'recorder',
    database: 'postgresql://recorder/flotilla',
    servers: [origin],
  })
  await using directory = openTestDatabase(installation.directoryUrl)
  await placeTenant(directory, encodeTenant({ org: 'recorded', project: 'web' }), 'recorder')
  const system = callerWith(first.server, { ...SYSTEM_HEADERS, ...AUTHENTICATED })
  // The list of shards may be older than the recorder: a name that it lacks reads the list again.
  await system.get('/overview?shard=recorder')
  await system.get('/clusters/unknown')
  const question = must(received.at(-1), 'a question')
  expect(question.url).toBe(`${LOCATE}unknown`)
  const credential = must(question.headers['x-flotilla-shard-question'], 'a credential')

  const stolen = { ...tenantHeaders('recorded'), 'X-Flotilla-Shard-Question': String(credential) }
  await callerWith(first.server, stolen).get('/clusters')
  expect(must(received.at(-1), 'a forwarded request').headers).toMatchObject({
    'x-tenant-org': 'recorded',
    'x-flotilla-shard-question': '',
  })
  const before = received.length
  expect((await ask(stolen)).status).toBe(401)
  expect(received).toHaveLength(before)
})

async function tenantsNamed(org: string): Promise<number> {
  const databases = [
    [installation.directoryUrl, 'tenant_shards'],
    [first.databaseUrl, 'tenant_states'],
    [second.databaseUrl, 'tenant_states'],
  ] as const
  const counts = await Promise.all(
    databases.map(async ([url, table]) => {
      const like = `select count(*)::integer as count from ${table} where tenant like $1`
      const [row] = await query<{ count: number }>(url, like, [`%"${org}%`])
      return must(row, 'a row').count
    }),
  )
  return counts.reduce((sum, count) => sum + count, 0)
}

test('requests without a valid token place no tenant', async () => {
  const paths = ['/clusters', `/clusters/${clusterId}`, '/clusters/root/control-plane/version']
  for (let index = 0; index < 30; index += 1) {
    const { server } = index % 2 === 0 ? first : second
    const headers = tenantHeaders(`anonymous${index}`)
    const caller = callerWith(server, {
      ...headers,
      ...(index % 3 === 0 && { Authorization: 'Bearer wrong' }),
    })
    expect((await caller.get(must(paths[index % paths.length], 'a path'))).status).not.toBe(200)
    expect((await caller.post('/clusters', creation('Cluster'))).status).toBe(401)
  }
  expect(await tenantsNamed('anonymous')).toBe(0)
})

test('a tenant that an operator has placed is admitted by an authenticated request only', async () => {
  await using directory = openTestDatabase(installation.directoryUrl)
  await placeTenant(directory, encodeTenant({ org: 'planned', project: 'web' }), 'b')
  const headers = tenantHeaders('planned')
  expect((await callerWith(first.server, headers).get('/clusters')).status).toBe(401)
  expect(await tenantsNamed('planned')).toBe(1)
  const authenticated = callerWith(first.server, { ...headers, ...AUTHENTICATED })
  expect((await authenticated.get('/clusters')).status).toBe(200)
  expect(await tenantsNamed('planned')).toBe(2)
})
