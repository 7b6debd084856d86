import { createServer, type IncomingHttpHeaders } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import { placeTenant } from '../../src/shards/storage/directory.ts'
import { parseResponse, sendRaw } from '../../src/http/server/fixtures.ts'
import { must } from '../../src/lib/assert.ts'
import { listen } from '../../src/lib/listen.ts'
import { tenantHeaders } from '../auth/tenants.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { register, SHARD_KEY, startShards, type TestShards } from './shard-servers.ts'

interface Received {
  readonly url: string | undefined
  readonly headers: IncomingHttpHeaders
}

/** A server on this machine that records its requests. */
async function recordingServer() {
  const requests: Received[] = []
  const server = createServer((request, response) => {
    requests.push({ url: request.url, headers: request.headers })
    request.resume().once('end', () => response.end('{}'))
  })
  const host = `127.0.0.1:${await listen(server, 0, '127.0.0.1')}`
  return { host, requests, server }
}

type RecordingServer = Awaited<ReturnType<typeof recordingServer>>

let installation: TestShards
let port: number
/** The only server of the tenant's shard. */
let shard: RecordingServer
let attacker: RecordingServer

beforeAll(async () => {
  installation = await startShards(['a', 'b'])
  shard = await recordingServer()
  attacker = await recordingServer()
  const [a, b] = installation.shards.map((one) => must(one, 'a shard'))
  port = Number(new URL(must(a, 'a').server.origin).port)
  const urls = { database: must(b, 'b').databaseUrl, servers: [`http://${shard.host}`] }
  await register(installation.directoryUrl, { name: 'b', ...urls })
  await using directory = openTestDatabase(installation.directoryUrl)
  await placeTenant(directory, encodeTenant({ org: 'acme', project: 'web' }), 'b')
})
afterAll(async () => {
  for (const { server } of [shard, attacker]) {
    server.closeAllConnections()
    server.close()
  }
  await installation[Symbol.asyncDispose]()
})
beforeEach(() => {
  shard.requests.length = 0
  attacker.requests.length = 0
})

async function send(target: string, headers: Record<string, string> = {}, body = '') {
  const lines = Object.entries({
    Host: attacker.host,
    Connection: 'close',
    ...tenantHeaders('acme'),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  const head = [`GET ${target} HTTP/1.1`, ...lines].join('\r\n')
  return parseResponse(await sendRaw(port, `${head}\r\n\r\n${body}`))
}

test('the target of a request cannot choose the server that receives the key of the shards', async () => {
  const targets = [
    '//HOST/x',
    '///HOST/x',
    '//HOST',
    'http://HOST/x',
    'https://HOST/x',
    '//user@HOST/',
  ]
  for (const target of targets) {
    const { status, headers, body } = await send(target.replace('HOST', attacker.host))
    expect([status, body['detail']], target).toEqual([
      400,
      expect.stringContaining('a path that begins with one /'),
    ])
    expect(headers.get('content-type')).toContain('application/problem+json')
  }
  expect([attacker.requests, shard.requests]).toEqual([[], []])
})

test('a path reaches the shard unchanged', async () => {
  const base = '/api/hyperfleet/v1/clusters'
  const targets = [
    `/\\${attacker.host}/x`,
    `${base}/%2e%2e/x`,
    `${base}/../../x?search=%2F`,
    `/x//${attacker.host}`,
  ]
  for (const target of targets) expect((await send(target)).status).toBe(200)
  expect(shard.requests.map(({ url }) => url)).toEqual(targets)
  expect(shard.requests[0]?.headers).toMatchObject({ 'x-flotilla-shard-key': SHARD_KEY })
  expect(attacker.requests).toEqual([])
})

test('hosts and origins in requests of other servers are accepted, because those have checked them', async () => {
  const page = { Host: 'shard-b.internal', Origin: 'http://evil.example', Upgrade: 'websocket' }
  const statusWith = async (headers: Record<string, string>) =>
    (await send('/api/hyperfleet/v1/clusters', headers)).status
  expect(await statusWith(page)).toBe(421)
  expect(await statusWith({ ...page, Host: 'localhost' })).toBe(403)
  expect(await statusWith({ ...page, 'X-Flotilla-Shard-Key': 'wrong' })).toBe(421)
  const marks = { 'X-Flotilla-Shard-Key': SHARD_KEY, ...tenantHeaders('globex') }
  expect(await statusWith({ ...page, ...marks })).toBe(200)
})

test('Connection can only name headers of the connection', async () => {
  const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
  const named = ['Content-Length', 'Host', 'Authorization', 'X-Tenant-Org', 'X-HyperFleet-Identity']
  for (const name of named) {
    const headers = { Connection: `${name}, close`, 'Content-Length': String(smuggled.length) }
    const { status, body } = await send('/api/hyperfleet/v1/clusters', headers, smuggled)
    expect([status, body['detail']]).toEqual([400, expect.stringContaining(name.toLowerCase())])
  }
  expect(shard.requests).toEqual([])
  const ordinary = { Connection: 'Upgrade, HTTP2-Settings, TE, keep-alive, close' }
  expect((await send('/api/hyperfleet/v1/clusters', ordinary)).status).toBe(200)
})
