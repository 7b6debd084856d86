import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import { placeTenant } from '../../src/shards/storage/directory.ts'
import { must } from '../../src/lib/assert.ts'
import { listen } from '../../src/lib/listen.ts'
import { callerWith, made, SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { register, startShards, type TestShard, type TestShards } from './shard-servers.ts'

/** A shard without an answer: its only server accepts requests and does nothing. */
const NO_ANSWER = 'The shard b cannot be reached (no response within 5 s): try again later'

let installation: TestShards
/** It waits longer than any test. */
let patient: TestShard
let impatient: TestShard
let stalled: Server
let openRequests = 0

beforeAll(async () => {
  installation = await startShards(['a', 'b', 'c'], (name): NodeJS.ProcessEnv =>
    name === 'c' ? { STATEMENT_TIMEOUT_MS: '2500' } : {},
  )
  const [a, b, c] = installation.shards.map((one) => must(one, 'a shard'))
  patient = must(a, 'a')
  impatient = must(c, 'c')
  stalled = createServer((_request, response) => {
    openRequests += 1
    response.once('close', () => {
      openRequests -= 1
    })
  })
  const servers = [`http://127.0.0.1:${await listen(stalled, 0, '127.0.0.1')}`]
  const database = must(b, 'b').databaseUrl
  await register(installation.directoryUrl, { name: 'b', database, servers })
  await using directory = openTestDatabase(installation.directoryUrl)
  await placeTenant(directory, encodeTenant({ org: 'acme', project: 'web' }), 'a')
  await placeTenant(directory, encodeTenant({ org: 'globex', project: 'web' }), 'b')
})
afterAll(async () => {
  stalled.closeAllConnections()
  stalled.close()
  await installation[Symbol.asyncDispose]()
})

test('requests to a shard that does not answer get 503', async () => {
  const tenant = callerWith(impatient.server, tenantHeaders('globex'))
  const read = await tenant.get('/clusters')
  expect([read.status, read.headers.get('retry-after'), read.body.detail]).toEqual([
    503,
    '1',
    NO_ANSWER,
  ])
  const written = await tenant.post('/clusters', creation('Cluster'))
  expect([written.status, written.headers.get('retry-after')]).toEqual([503, '1'])
  expect(written.body.detail).toContain('it may have been applied')
  const system = callerWith(impatient.server, SYSTEM_HEADERS)
  for (const path of ['/clusters', '/clusters/missing']) {
    const { status, body } = await system.get(path)
    expect([status, body.detail]).toEqual([503, NO_ANSWER])
  }
})

test('a resource is found although another shard does not answer', async () => {
  const tenant = callerWith(patient.server, tenantHeaders('acme'))
  const { id } = await made(tenant, '/clusters', creation('Cluster'))
  const system = callerWith(patient.server, SYSTEM_HEADERS)
  expect((await system.get(`/clusters/${id}`)).status).toBe(200)
  await expect.poll(() => openRequests).toBe(0)
})

test('requests to shards end when their client leaves', async () => {
  for (const path of ['/clusters/missing', '/clusters']) {
    const aborted = new AbortController()
    const { signal } = aborted
    const received = once(stalled, 'request')
    const answer = fetch(`${patient.server.origin}/api/hyperfleet/v1${path}`, {
      headers: SYSTEM_HEADERS,
      signal,
    })
    await received
    expect(openRequests).toBe(1)
    aborted.abort()
    await expect(answer).rejects.toThrow()
    await expect.poll(() => openRequests).toBe(0)
  }
})
