import { createServer } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import { placeTenant } from '../../src/shards/storage/directory.ts'
import { must } from '../../src/lib/assert.ts'
import { listen } from '../../src/lib/listen.ts'
import { callerWith, made, SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { register, startShards, type TestShard, type TestShards } from './shard-servers.ts'

const CLIENT = '203.0.113.7'

let installation: TestShards
let router: TestShard
/** It trusts no proxy on this machine, so the router is an ordinary peer for it. */
let other: TestShard

beforeAll(async () => {
  installation = await startShards(['a', 'b'], (name): NodeJS.ProcessEnv =>
    name === 'b' ? { TRUSTED_PROXIES: '192.0.2.1' } : {},
  )
  router = must(installation.shards[0], 'a shard')
  other = must(installation.shards[1], 'a shard')
  await using directory = openTestDatabase(installation.directoryUrl)
  await placeTenant(directory, encodeTenant({ org: 'acme', project: 'web' }), 'b')
})
afterAll(() => installation[Symbol.asyncDispose]())

const tenant = () => callerWith(router.server, tenantHeaders('acme'))
const system = () => callerWith(router.server, SYSTEM_HEADERS)

/** The source address of the event of a request. */
async function sourceOf(requestId: string): Promise<unknown> {
  const path = `/audit?search=${encodeURIComponent(`request_id = '${requestId}'`)}`
  await expect.poll(async () => (await tenant().get(path)).body.items.length).toBe(1)
  return (await tenant().get(path)).body.items[0].source_address
}

describe('the audit log of the serving shard', () => {
  test('has the address of the client, which the router has determined', async () => {
    const answer = await tenant().send('POST', '/clusters', creation('Cluster'), {
      'X-Request-ID': 'from-proxy',
      'X-Forwarded-For': `198.51.100.9, ${CLIENT}`,
    })
    expect(answer.status).toBe(201)
    expect(await sourceOf('from-proxy')).toBe(CLIENT)
  })

  test('does not believe the headers of clients', async () => {
    const forged = {
      'X-Flotilla-Shard-Client': '192.0.2.66',
      'X-Flotilla-Shard-Key': 'a-key-that-is-not-the-right',
      'X-Forwarded-For': CLIENT,
    }
    const forwarded = await tenant().send('POST', '/clusters', creation('Cluster'), {
      ...forged,
      'X-Request-ID': 'forged',
    })
    expect(forwarded.status).toBe(201)
    expect(await sourceOf('forged')).toBe(CLIENT)
  })
})

describe('errors of the router', () => {
  const planePath = '/clusters/root/control-plane/apis/x/v1/things'

  test('are Status objects on the paths of planes, and problems on others', async () => {
    for (const path of ['/apis/x/v1/things', '/api/v1/namespaces', planePath]) {
      const response = await fetch(`${router.server.origin}${path}?shard=zz`, {
        headers: SYSTEM_HEADERS,
      })
      expect([response.status, response.headers.get('content-type')]).toEqual([
        400,
        'application/json',
      ])
      expect(await response.json()).toMatchObject({
        kind: 'Status',
        apiVersion: 'v1',
        status: 'Failure',
        reason: 'BadRequest',
        code: 400,
        message: expect.stringContaining("'zz' is not a shard"),
      })
    }
    const problem = await system().get('/clusters?shard=zz')
    expect(problem.headers.get('content-type')).toContain('application/problem+json')
  })

  test('name the shard of a plane that cannot be reached', async () => {
    const cluster = await made(tenant(), '/clusters', creation('Cluster'))
    const shard = { name: 'b', database: other.databaseUrl }
    await register(installation.directoryUrl, { ...shard, servers: ['http://127.0.0.1:1'] })
    const read = () =>
      fetch(`${router.server.origin}/clusters/${cluster.id}/control-plane/api/v1/namespaces`, {
        headers: tenantHeaders('acme'),
      })
    // The router caches the list of shards.
    await expect.poll(async () => (await read()).status).toBe(503)
    const response = await read()
    expect(response.headers.get('retry-after')).toBe('1')
    expect(await response.json()).toMatchObject({
      kind: 'Status',
      reason: 'ServiceUnavailable',
      message: expect.stringContaining('The shard b cannot be reached'),
      details: { retryAfterSeconds: 1 },
      code: 503,
    })
    await register(installation.directoryUrl, { ...shard, servers: [other.server.origin] })
    await expect.poll(async () => (await read()).status).toBe(200)
  })
})

test('a list is 503 if a shard answers with anything but JSON', async () => {
  const page = createServer((_request, response) => response.end('<html>A proxy</html>'))
  const port = await listen(page, 0, '127.0.0.1')
  const shard = { name: 'b', database: other.databaseUrl }
  onTestFinished(async () => {
    page.close()
    await register(installation.directoryUrl, { ...shard, servers: [other.server.origin] })
    await expect.poll(async () => (await system().get('/clusters')).status).toBe(200)
  })
  await register(installation.directoryUrl, { ...shard, servers: [`http://127.0.0.1:${port}`] })
  const detail = async () => {
    const { status, body } = await system().get('/clusters')
    return [status, body.detail]
  }
  // The router caches the list of shards.
  const failure =
    'The shard b sent an answer that cannot be read: try again later, or name another shard'
  await expect.poll(detail).toEqual([503, failure])
  const found = await system().get('/clusters/absent')
  expect(found.status).toBe(503)
})

describe('?shard=', () => {
  test('is rejected from tenants', async () => {
    for (const path of [
      '/clusters?shard=b',
      '/clusters?shard=b&watch=true',
      '/resources?shard=b',
    ]) {
      const { status, body } = await tenant().get(path)
      expect([status, body.detail]).toEqual([400, expect.stringContaining('only systems')])
    }
  })

  test('selects the watched shard', async () => {
    const path = '/api/hyperfleet/v1/clusters?watch=true&shard=b'
    const aborted = new AbortController()
    const { signal } = aborted
    const response = await fetch(router.server.origin + path, { headers: SYSTEM_HEADERS, signal })
    expect(response.status).toBe(200)
    const cluster = await made(tenant(), '/clusters', creation('Cluster'))
    let text = ''
    for await (const chunk of must(response.body, 'a body').pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes(cluster.id)) break
    }
    expect(text).toContain(`"id":"${cluster.id}"`)
    aborted.abort()
  })
})
