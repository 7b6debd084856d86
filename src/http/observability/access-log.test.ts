import { afterAll, beforeAll, expect, test } from 'vitest'
import { problemOf } from '../../hyperfleet/errors/problem.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { setRoute } from './access-log.ts'
import { appWith, logInto, open, serve, type TestServer } from '../server/fixtures.ts'
import { createHttpServer } from '../server/http-server.ts'
import { createMetrics } from './metrics.ts'

const lines: Record<string, unknown>[] = []
const metrics = createMetrics()
let server: TestServer

beforeAll(async () => {
  const app = appWith(
    (mounted) => {
      mounted.use((_request, response, next) => {
        setRoute(response, '/things/{id}')
        next()
      })
      mounted.get('/ok', (_request, response) => void response.send('x'))
      mounted.get('/fail/:code', (request) => {
        if (request.params.code === 'bug')
          throw new Error('secret detail', { cause: new Error('deeper') })
        throw new FlotillaError(
          request.params.code === '503' ? 'unavailable' : 'invalid',
          'refused',
        )
      })
      mounted.get('/begun', (_request, response) => {
        response.write('begun')
        throw new Error('too late')
      })
      mounted.get('/slow', () => undefined)
    },
    { log: logInto(lines), metrics },
  )
  server = await serve(createHttpServer(app, { renderError: problemOf }))
})
afterAll(() => server[Symbol.asyncDispose]())

async function lineOf(path: string): Promise<Record<string, unknown>> {
  return waitFor(() => lines.find((line) => line['path'] === path))
}

async function waitFor<T>(find: () => T | undefined): Promise<T> {
  for (;;) {
    const found = find()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('writes one line per request without the query, headers and body', async () => {
  const headers = { 'X-Request-ID': 'req-7', Authorization: 'Bearer token-1' }
  await fetch(`${server.url}/ok?search=query-1`, { headers })
  const line = await lineOf('/ok')
  expect(line).toMatchObject({
    level: 30,
    request_id: 'req-7',
    method: 'GET',
    route: '/things/{id}',
    path: '/ok',
    status: 200,
    duration_ms: expect.any(Number),
    msg: 'request',
  })
  expect(JSON.stringify(lines)).not.toMatch(/token-1|query-1/)
  expect(lines.filter((other) => other['path'] === '/ok')).toHaveLength(1)
})

test('logs a rejected request at info with the code of the response', async () => {
  const { code } = JSON.parse(await (await fetch(`${server.url}/fail/400`)).text())
  expect((await lineOf('/fail/400'))['code']).toBe(code)
  expect(await lineOf('/fail/400')).toMatchObject({
    level: 30,
    status: 400,
    code: 'HYPERFLEET-VAL-000',
  })
})

test('logs an unavailable database at the level of its error code', async () => {
  await fetch(`${server.url}/fail/503`)
  expect(await lineOf('/fail/503')).toMatchObject({
    level: 40,
    status: 503,
    code: 'HYPERFLEET-SVC-001',
    detail: 'refused',
  })
})

test('logs an unexpected error with its cause', async () => {
  const response = await fetch(`${server.url}/fail/bug`)
  expect(await response.text()).not.toContain('secret')
  expect(await lineOf('/fail/bug')).toMatchObject({
    level: 50,
    status: 500,
    code: 'HYPERFLEET-INT-001',
    err: {
      message: 'secret detail: deeper',
      stack: expect.stringContaining('access-log.test'),
    },
  })
})

test('logs a request whose client disconnected', async () => {
  const socket = await open(server.port)
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 30))
  socket.destroy()
  expect(await lineOf('/slow')).toMatchObject({ status: 499, aborted: true })
})

test('destroys a response that fails after its start and logs the failure', async () => {
  const answer = fetch(`${server.url}/begun`).then((response) => response.text())
  await expect(answer).rejects.toThrow()
  expect(await lineOf('/begun')).toMatchObject({
    level: 50,
    status: 200,
    aborted: true,
    code: 'HYPERFLEET-INT-001',
  })
})

test('counts every logged request', async () => {
  await fetch(`${server.url}/fail/count`)
  await lineOf('/fail/count')
  expect(await metrics.registry.metrics()).toMatch(
    /flotilla_http_requests_total\{method="GET",route="\/things\/\{id\}",status="400"\} \d/,
  )
})
