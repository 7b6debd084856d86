import { createServer } from 'node:http'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  ApiError,
  Client,
  Conflict,
  NotFound,
  PreconditionFailed,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from '../../../clients/typescript/src/index.ts'
import { listen } from '../../../src/lib/listen.ts'
import { newName } from '../../support/fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { type Proxy, startProxy } from './proxy.ts'

let server: TestServer
let proxy: Proxy
let client: Client

beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '[]' } })
  proxy = await startProxy(server.origin)
  client = new Client(proxy.origin)
})
afterAll(async () => {
  await proxy[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

test('a read is repeated until the server responds', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  // A busy machine may exceed the timeout a few more times.
  const hasty = new Client(proxy.origin, { timeout: 1000, retries: 20 })
  proxy.fail(503, 'refuse', 'stall', 'lose-response')
  expect((await hasty.clusters.get(id)).id).toBe(id)
})

test('a read fails after the last retry, with the last error', async () => {
  const once = new Client(proxy.origin, { retries: 1 })
  proxy.fail(502, 503)
  const error = await failureOf(once.clusters.get('x'))
  expect(error).toBeInstanceOf(Unavailable)
  expect(error).toMatchObject({ status: 503, code: 'PROXY', retryAfter: 0 })
})

test('a create whose response is lost creates one cluster', async () => {
  const name = newName()
  proxy.fail('lose-response', 'lose-response')
  const created = await client.clusters.create({ name })
  expect(await client.clusters.search(`name='${name}'`).toArray()).toEqual([created])
})

test('a fleet that is removed after a conflict is a conflict', async () => {
  let isFirst = true
  const removed = createServer((request, response) => {
    const isCreation = request.method === 'POST'
    const [code, reason] = isCreation ? [409, 'AlreadyExists'] : [404, 'NotFound']
    const status = isCreation && isFirst ? 503 : code
    isFirst = false
    response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': '0' })
    response.end(JSON.stringify({ kind: 'Status', code: status, reason, message: reason }))
  })
  const port = await listen(removed, 0, '127.0.0.1')
  onTestFinished(() => void removed.close())
  const behind = new Client(`http://127.0.0.1:${port}`)
  const fleet = { name: 'gone', replicas: 1 }
  expect(await failureOf(behind.createFleet(fleet))).toBeInstanceOf(Conflict)
  expect(await failureOf(behind.ephemeralFleet({ ...fleet, timeout: 100 }))).toBeInstanceOf(
    Conflict,
  )
})

test('a deletion whose response is lost succeeds', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  proxy.fail('lose-response')
  expect(await client.clusters.delete(id)).toBeNull()
  await expect(client.clusters.delete(id)).rejects.toThrow(NotFound)
})

test('a change with a tag is not repeated after a lost response', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  const { tag } = await client.clusters.getWithTag(id)
  proxy.fail('lose-response')
  const patient = new Client(proxy.origin)
  const change = patient.clusters.patch(id, { spec: { a: 1 } }, { ifMatch: tag })
  expect(await failureOf(change)).toMatchObject({ status: 0, code: 'NoResponse' })
  expect(await client.clusters.get(id)).toMatchObject({ generation: 2 })
  const again = client.clusters.patch(id, { spec: { a: 1 } }, { ifMatch: tag })
  await expect(again).rejects.toThrow(PreconditionFailed)
})

test('a JSON Patch is repeated after 429 only', async () => {
  const { id } = await client.clusters.create({ name: newName(), spec: { list: [] } })
  const patch = [{ op: 'add', path: '/spec/list/-', value: 1 }] as const
  proxy.fail(429)
  expect((await client.clusters.jsonPatch(id, patch)).spec).toEqual({ list: [1] })
  proxy.fail('lose-response')
  await expect(client.clusters.jsonPatch(id, patch)).rejects.toThrow(Unavailable)
  expect((await client.clusters.get(id)).spec).toEqual({ list: [1, 1] })
})

test('errors name the request and the cause if there is no response', async () => {
  const nowhere = new Client('http://127.0.0.1:1', { retries: 0 })
  const error = await failureOf(nowhere.clusters.get('x'))
  expect(error).toBeInstanceOf(Unavailable)
  expect(error).toMatchObject({ status: 0, code: 'NoResponse', requestId: null })
  expect(error.message).toMatch(/GET http:\/\/127\.0\.0\.1:1\/api.*failed without a response: \S/)
})

test('a call that exceeds its timeout is a Timeout', async () => {
  const once = new Client(proxy.origin, { retries: 0 })
  proxy.fail('stall')
  const error = await failureOf(once.clusters.get('x', { timeout: 50 }))
  expect(error).toMatchObject({ status: 0, code: 'Timeout' })
})

test('an abort rejects with its reason, also during a wait between attempts', async () => {
  const controller = new AbortController()
  const reason = new Error('no longer needed')
  const failing = new Client(proxy.origin, {
    fetch: () => {
      setImmediate(() => controller.abort(reason))
      return Promise.reject(new TypeError('refused'))
    },
  })
  const call = failing.clusters.get('x', { signal: controller.signal })
  await expect(call).rejects.toBe(reason)
})

test('a rejected request is repeated as often as configured', async () => {
  await using own = await startProxy(server.origin)
  own.fail(429, 429, 429)
  const twice = new Client(own.origin, { retries: 2 })
  await expect(twice.clusters.get('x')).rejects.toThrow(TooManyRequests)
  expect(own.requests).toHaveLength(3)
})

test('a token function is called again after a 401', async () => {
  await using own = await startProxy(server.origin)
  const tokens = ['expired', 'current', 'wrong', 'wrong']
  const seen: string[] = []
  const secured = new Client(own.origin, {
    token: () => tokens.shift() ?? '',
    fetch: async (input, init) => {
      seen.push(new Headers(init?.headers).get('authorization') ?? '')
      if (seen.at(-1) !== 'Bearer current') return new Response('', { status: 401 })
      return await fetch(input, init)
    },
  })
  await expect(secured.clusters.get('unknown')).rejects.toThrow(NotFound)
  expect(seen).toEqual(['Bearer expired', 'Bearer current'])
  await expect(secured.clusters.get('unknown')).rejects.toThrow(Unauthorized)
})

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`expected an ApiError, got ${String(error)}`)
}
