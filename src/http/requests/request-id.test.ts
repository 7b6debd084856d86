import { afterAll, beforeAll, expect, test } from 'vitest'
import { requestIdOf } from './request-id.ts'
import { serveApp, type TestServer } from '../server/fixtures.ts'

let server: TestServer

beforeAll(async () => {
  server = await serveApp((app) => {
    app.get('/', (_request, response) => void response.send(requestIdOf(response)))
  })
})
afterAll(() => server[Symbol.asyncDispose]())

test.each(['a', '!~', 'x'.repeat(128)])('keeps the incoming id %j', async (id) => {
  const response = await fetch(server.url, { headers: { 'X-Request-ID': id } })
  expect(response.headers.get('x-request-id')).toBe(id)
  expect(await response.text()).toBe(id)
})

test.each(['', 'two words', 'x'.repeat(129), 'é', 'tab\there'])(
  'replaces %j with a new id',
  async (id) => {
    const response = await fetch(server.url, { headers: { 'X-Request-ID': id } })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  },
)

test('gives every request its own id, including failed ones', async () => {
  const answers = await Promise.all(['/', '/', '/nowhere'].map((path) => fetch(server.url + path)))
  const ids = answers.map((answer) => answer.headers.get('x-request-id'))
  expect(new Set(ids).size).toBe(3)
  expect(ids).not.toContain(null)
})
