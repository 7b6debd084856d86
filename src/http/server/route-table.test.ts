import type { RequestHandler } from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { routeOf } from '../observability/access-log.ts'
import { serveApp, type TestServer } from './fixtures.ts'
import { createRouter } from './route-table.ts'

let server: TestServer
let checks = 0

const check: RequestHandler = (_request, _response, next) => {
  checks += 1
  next()
}
const show: RequestHandler = (request, response) => {
  response.json({ route: routeOf(response), params: request.params })
}

beforeAll(async () => {
  server = await serveApp((app) => {
    app.use((request, _response, next) => {
      if (request.path === '/order/unauthorised') throw new Error('authentication comes first')
      next()
    })
    app.use(
      createRouter([
        { method: 'get', path: '/things', template: '/things', handlers: [check, show] },
        { method: 'post', path: '/things', template: '/things', handlers: [check, show] },
        {
          method: 'get',
          path: '/things/:thing_id',
          template: '/things/{thing_id}',
          handlers: [show],
        },
        {
          method: 'patch',
          path: '/things/:thing_id',
          template: '/things/{thing_id}',
          handlers: [show],
        },
        {
          method: 'post',
          path: '/things/:thing_id/act',
          template: '/things/{thing_id}/act',
          handlers: [show],
        },
        { method: 'post', path: '/things/special', template: '/things/special', handlers: [show] },
      ]),
    )
  })
})
afterAll(() => server[Symbol.asyncDispose]())

function send(method: string, path: string): Promise<Response> {
  return fetch(server.url + path, { method })
}

test('runs the handlers of a route and names its template', async () => {
  expect(await (await send('PATCH', '/things/a%2Fb')).json()).toEqual({
    route: '/things/{thing_id}',
    params: { thing_id: 'a/b' },
  })
})

test('serves HEAD if the path has GET', async () => {
  expect((await send('HEAD', '/things')).status).toBe(200)
  expect((await send('HEAD', '/things/1/act')).status).toBe(405)
})

test.each([
  ['DELETE', '/things', 'GET, HEAD, POST'],
  ['OPTIONS', '/things', 'GET, HEAD, POST'],
  ['POST', '/things/1', 'GET, HEAD, PATCH'],
  ['GET', '/things/1/act', 'POST'],
  ['PUT', '/things/special', 'GET, HEAD, PATCH, POST'],
])('rejects %s %s with 405 before any check', async (method, path, allow) => {
  checks = 0
  const response = await send(method, path)
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe(allow)
  expect(await response.json()).toMatchObject({ code: 'HYPERFLEET-NTF-000', instance: path })
  expect(checks).toBe(0)
})

test('finds the method in another route that has the path', async () => {
  expect(await (await send('POST', '/things/special')).json()).toMatchObject({
    route: '/things/special',
  })
})

test.each([
  '/',
  '/nowhere',
  '/Things',
  '/things/',
  '/things/1/other',
  '/things/1/act/',
  '//things',
])('has no route for %s', async (path) => {
  const response = await send('GET', path)
  expect(response.status).toBe(404)
  expect(await response.json()).toMatchObject({ code: 'HYPERFLEET-NTF-000' })
})

test('rejects a path that is not percent-encoded UTF-8 with 400', async () => {
  const response = await send('GET', '/things/%E0%A4')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'HYPERFLEET-VAL-000' })
})

test('runs after earlier stages even on unknown paths', async () => {
  expect((await send('GET', '/order/unauthorised')).status).toBe(500)
})
