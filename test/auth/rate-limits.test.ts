import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type KeyServer, serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { metricOf } from '../watch/watch-client.ts'

const KEY = signingKey('RS256', 'current')
const PLANE = '/api/v1/namespaces/default/configmaps'

let keys: KeyServer
let server: TestServer

beforeAll(async () => {
  keys = await serveKeys(KEY)
  server = await startTestServer({
    env: {
      JWT_JWKS_URL: keys.url,
      // A bucket that does not refill during a test.
      RATE_LIMITS: 'reads=1,writes=1,burst-seconds=3,exempt=user:adapter@example.com',
      CORS_ORIGINS: 'https://console.example.com',
    },
  })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await keys[Symbol.asyncDispose]()
})

function authorized(email: string): Record<string, string> {
  const authorization = KEY.bearer({ email, exp: Math.floor(Date.now() / 1000) + 3600 })
  return { Authorization: authorization, 'Content-Type': 'application/json' }
}

/** Sends requests until one is 429. Fails after many more than the burst. */
async function untilLimited(send: () => Promise<Response>): Promise<Response> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const response = await send()
    if (response.status === 429) return response
    await response.arrayBuffer()
  }
  throw new Error('no request was limited')
}

describe('a caller that sends too many requests', () => {
  it('receives a problem with Retry-After from the HyperFleet API', async () => {
    const headers = authorized('reader@example.com')
    const url = `${server.origin}/api/hyperfleet/v1/clusters`
    const response = await untilLimited(() => fetch(url, { headers }))
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(JSON.parse(await response.text())).toMatchObject({
      status: 429,
      code: 'HYPERFLEET-LMT-001',
      detail: expect.stringContaining('More than 1 reads per second'),
    })
    expect(await metricOf(server, 'flotilla_rate_limited_requests_total{limit="read"}')).toBe(1)
  })

  it('receives a Status with retryAfterSeconds from planes', async () => {
    const headers = authorized('kubectl@example.com')
    const url = server.origin + PLANE
    let created = 0
    const response = await untilLimited(() => {
      created += 1
      const body = JSON.stringify({ metadata: { name: `map-${created}` } })
      return fetch(url, { method: 'POST', headers, body })
    })
    const seconds = Number(response.headers.get('retry-after'))
    expect(JSON.parse(await response.text())).toMatchObject({
      kind: 'Status',
      code: 429,
      reason: 'TooManyRequests',
      details: { retryAfterSeconds: seconds },
    })
    // The rejected write has not happened.
    const admin = authorized('adapter@example.com')
    const missing = await fetch(`${url}/map-${created}`, { headers: admin })
    expect(missing.status).toBe(404)
  })

  it('shares its limit between both APIs', async () => {
    const url = `${server.origin}/api/hyperfleet/v1/clusters`
    const attempt = async (email: string) => {
      const headers = authorized(email)
      let start = 0
      await untilLimited(() => {
        start = performance.now()
        return fetch(server.origin + PLANE, { headers })
      })
      // A separate bucket would allow a burst of three.
      const responses = await Promise.all([1, 2, 3].map(() => fetch(url, { headers })))
      return { statuses: responses.map(({ status }) => status), ms: performance.now() - start }
    }
    // The bucket refills within two seconds on a busy machine: repeat with another caller.
    let last = await attempt('both@example.com')
    for (let retry = 0; last.ms >= 2000; retry += 1)
      last = await attempt(`both${retry}@example.com`)
    expect(last.statuses).toContain(429)
  })

  it('still can write if it has only read too much, and other callers are not affected', async () => {
    const headers = authorized('mixed@example.com')
    const url = `${server.origin}/api/hyperfleet/v1/clusters`
    await untilLimited(() => fetch(url, { headers }))
    const body = JSON.stringify(creation('Cluster'))
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(201)
    expect((await fetch(url, { headers: authorized('other@example.com') })).status).toBe(200)
  })
})

describe('requests without a limit', () => {
  it('are those of exempt callers', async () => {
    const headers = authorized('adapter@example.com')
    const url = `${server.origin}/api/hyperfleet/v1/clusters`
    const statuses = new Set<number>()
    for (let count = 0; count < 20; count += 1) statuses.add((await fetch(url, { headers })).status)
    expect([...statuses]).toEqual([200])
  })

  it('are preflights, health and metrics', async () => {
    const preflight = {
      method: 'OPTIONS',
      headers: { Origin: 'https://console.example.com', 'Access-Control-Request-Method': 'GET' },
    }
    const urls: [string, RequestInit][] = [
      [`${server.origin}/api/hyperfleet/v1/clusters`, preflight],
      [`${server.healthOrigin}/healthz`, {}],
      [`${server.metricsOrigin}/metrics`, {}],
    ]
    for (const [url, init] of urls) {
      for (let count = 0; count < 10; count += 1) {
        expect((await fetch(url, init)).status, url).toBeLessThan(400)
      }
    }
  })
})

describe('anonymous callers behind a gateway', () => {
  it('are limited by the address that the gateway has added, which they cannot choose', async () => {
    await using open = await startTestServer({
      env: { TRUSTED_PROXIES: '127.0.0.1', RATE_LIMITS: 'reads=1,burst-seconds=3' },
    })
    const url = `${open.origin}/api/hyperfleet/v1/clusters`
    let count = 0
    const sendFrom = (address: string): Promise<Response> => {
      count += 1
      const invented = `198.51.100.${count}`
      return fetch(url, { headers: { 'X-Forwarded-For': `${invented}, ${address}` } })
    }
    await untilLimited(() => sendFrom('203.0.113.9'))
    expect((await sendFrom('203.0.113.10')).status).toBe(200)
    await untilLimited(() => sendFrom(`2001:db8::${(count + 1).toString(16)}`))
  })
})

describe('failures to authenticate', () => {
  it('become 429, while valid tokens from the same address are accepted', async () => {
    const url = `${server.origin}/api/hyperfleet/v1/clusters`
    const invalid = { Authorization: 'Bearer invalid' }
    const response = await untilLimited(() => fetch(url, { headers: invalid }))
    expect(response.headers.get('retry-after')).not.toBeNull()
    const valid = await fetch(url, { headers: authorized('late@example.com') })
    expect(valid.status).toBe(200)
  })
})
