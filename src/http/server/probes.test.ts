import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../hyperfleet/errors/problem.ts'
import { sendRaw, serve, type TestServer } from './fixtures.ts'
import { createMetrics } from '../observability/metrics.ts'
import { createHealthServer, createMetricsServer } from './probes.ts'

const CHECKS = [
  { name: 'ping', isVital: true, problem: () => null },
  { name: 'database', isVital: false, problem: () => 'unavailable' },
]

let answer: () => Promise<{ ok: boolean; checks: Record<string, string> }>
let health: TestServer
let metrics: TestServer

beforeAll(async () => {
  health = await serve(createHealthServer({ ready: () => answer(), checks: CHECKS }, problemOf))
  metrics = await serve(createMetricsServer(createMetrics().registry, problemOf))
})
afterAll(async () => {
  await health[Symbol.asyncDispose]()
  await metrics[Symbol.asyncDispose]()
})

test('/healthz is 200 regardless of the database', async () => {
  answer = () => new Promise(() => undefined)
  const response = await fetch(`${health.url}/healthz?x=1`)
  expect(response.status).toBe(200)
  expect(response.headers.get('x-request-id')).not.toBeNull()
  expect(await response.json()).toEqual({ status: 'ok' })
})

test('/readyz lists the checks and is 503 if one fails', async () => {
  answer = async () => ({ ok: true, checks: { database: 'ok' } })
  const ready = await fetch(`${health.url}/readyz`)
  expect(ready.status).toBe(200)
  expect(await ready.json()).toEqual({ status: 'ready', checks: { database: 'ok' } })
  answer = async () => ({ ok: false, checks: { database: 'unavailable' } })
  const notReady = await fetch(`${health.url}/readyz`)
  expect(notReady.status).toBe(503)
  expect(await notReady.json()).toEqual({
    status: 'not ready',
    checks: { database: 'unavailable' },
  })
})

test('responds with a problem if a check throws', async () => {
  answer = async () => Promise.reject(new Error('secret'))
  const response = await fetch(`${health.url}/readyz`)
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain('secret')
})

test.each(['/healthz', '/readyz'])('responds to HEAD of %s without a body', async (path) => {
  answer = async () => ({ ok: true, checks: {} })
  const response = await fetch(health.url + path, { method: 'HEAD' })
  expect(response.status).toBe(200)
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(0)
  expect(await response.text()).toBe('')
})

test('rejects other paths and methods with a problem', async () => {
  const response = await fetch(`${health.url}/other`)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'HYPERFLEET-NTF-000', instance: '/other' })
  const posted = await fetch(`${health.url}/healthz`, { method: 'POST', body: 'x' })
  expect(posted.status).toBe(405)
  expect(posted.headers.get('allow')).toBe('GET, HEAD')
  expect(await sendRaw(health.port, 'NONSENSE\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [\s\S]*VAL-006/)
})

test('/metrics uses the format of Prometheus', async () => {
  const response = await fetch(`${metrics.url}/metrics`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(await response.text()).toContain('# TYPE flotilla_http_requests_total counter')
})
