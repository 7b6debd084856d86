import { createServer } from 'node:http'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../lib/listen.ts'
import { cors } from './cors.ts'

const UI = 'https://ui.example.com'
const PREFLIGHT = { 'access-control-request-method': 'PATCH' }

interface Answer {
  readonly status: number
  /** The CORS headers and Vary. */
  readonly headers: Readonly<Record<string, string>>
}

type Send = (method: string, headers?: Record<string, string>) => Promise<Answer>

/** An application that responds with 401 to all requests after CORS. */
async function serving(...origins: readonly string[]): Promise<Send> {
  const app = express()
  app.use(cors(origins))
  app.use((_request, response) => void response.status(401).end())
  const server = createServer(app)
  const port = await listen(server, 0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return async (method, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/`, { method, headers })
    const ours = [...response.headers].filter(([name]) => /^(access-control-|vary$)/.test(name))
    return { status: response.status, headers: Object.fromEntries(ours) }
  }
}

test('responds to the preflight of a listed origin before authentication', async () => {
  const send = await serving('https://other.example.com', UI)
  expect(await send('OPTIONS', { origin: UI, ...PREFLIGHT })).toEqual({
    status: 204,
    headers: {
      'access-control-allow-origin': UI,
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-allow-headers':
        'authorization, content-type, x-request-id, if-match, if-none-match, idempotency-key, last-event-id',
      'access-control-max-age': '600',
      vary: 'Origin',
    },
  })
})

test('allows a listed origin to read every response and its headers', async () => {
  const send = await serving(UI)
  expect(await send('GET', { origin: UI })).toEqual({
    status: 401,
    headers: {
      'access-control-allow-origin': UI,
      'access-control-expose-headers':
        'X-Request-ID, Retry-After, WWW-Authenticate, Location, ETag, Allow, Accept-Patch, Idempotency-Replayed, X-Resource-Version, X-Write-Token, Warning',
      vary: 'Origin',
    },
  })
})

test.each([
  'https://evil.example',
  'https://ui.example.com.evil.example',
  'http://ui.example.com',
  'https://ui.example.com:8443',
  'HTTPS://UI.EXAMPLE.COM',
  'null',
])('sends no CORS headers to pages of %s', async (origin) => {
  const send = await serving(UI)
  const nothing = { vary: 'Origin' }
  expect(await send('GET', { origin })).toEqual({ status: 401, headers: nothing })
  expect(await send('OPTIONS', { origin, ...PREFLIGHT })).toEqual({ status: 204, headers: nothing })
})

test('allows all origins with a star', async () => {
  const send = await serving('*')
  const allowed = { 'access-control-allow-origin': '*' }
  expect(await send('GET', { origin: UI })).toMatchObject({ status: 401, headers: allowed })
  const preflight = await send('OPTIONS', { origin: 'null', ...PREFLIGHT })
  expect(preflight).toMatchObject({ status: 204, headers: allowed })
})

test('handles an OPTIONS request that is not a preflight as a request', async () => {
  const send = await serving(UI)
  expect(await send('GET', { origin: UI, ...PREFLIGHT })).toMatchObject({ status: 401 })
  expect(await send('OPTIONS', { origin: UI })).toMatchObject({ status: 401 })
  expect(await send('OPTIONS', PREFLIGHT)).toMatchObject({ status: 401 })
})

test('varies by origin even for requests without one', async () => {
  const send = await serving(UI)
  expect(await send('GET')).toEqual({ status: 401, headers: { vary: 'Origin' } })
})

test('does nothing if no origins are configured', async () => {
  const send = await serving()
  expect(await send('GET', { origin: UI })).toEqual({ status: 401, headers: {} })
  expect(await send('OPTIONS', { origin: UI, ...PREFLIGHT })).toEqual({ status: 401, headers: {} })
})

test.each([
  'https://ui.example.com/',
  'https://ui.example.com:443',
  'https://UI.example.com',
  'https://*.example.com',
  'https://',
])('rejects %s, which no browser sends', (origin) => {
  expect(() => cors([origin])).toThrow(`CORS_ORIGINS: '${origin}' is not an origin`)
})

test.each(['http://localhost:5173', 'https://[::1]:8443', 'tauri://localhost'])(
  'accepts %s',
  (origin) => {
    expect(() => cors([origin])).not.toThrow()
  },
)
