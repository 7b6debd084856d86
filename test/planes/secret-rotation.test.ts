import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const old = `2025:${randomBytes(32).toString('base64')}`
const current = `2026:${randomBytes(32).toString('base64')}`
const SECRETS = '/api/v1/namespaces/default/secrets'

async function serverWith(databaseUrl: string, keys: string): Promise<TestServer> {
  const env = keys === '' ? {} : { SECRETS_ENCRYPTION_KEY: keys }
  return startTestServer({ databaseUrl, env })
}

test('secrets stay readable while their key is listed, and are written with the first key', async () => {
  const database = await createTestDatabase()
  onTestFinished(() => database[Symbol.asyncDispose]())
  const data = { a: 'c2VjcmV0' }
  {
    await using server = await serverWith(database.url, old)
    const created = await server.request('POST', SECRETS, { metadata: { name: 'x' }, data })
    expect(created.status).toBe(201)
  }
  {
    await using server = await serverWith(database.url, `${current},${old}`)
    const { body } = await server.get(`${SECRETS}/x`)
    expect(body.data).toEqual(data)
    const changed = { ...body, metadata: { ...body.metadata, labels: { rotated: '2026' } } }
    expect((await server.request('PUT', `${SECRETS}/x`, changed)).status).toBe(200)
  }
  {
    await using server = await serverWith(database.url, current)
    expect((await server.get(`${SECRETS}/x`)).body.data).toEqual(data)
  }
  await using server = await serverWith(database.url, old)
  expect((await server.get(`${SECRETS}/x`)).status).toBe(500)
  expect((await server.get('/api/v1/namespaces/default/configmaps')).status).toBe(200)
})
