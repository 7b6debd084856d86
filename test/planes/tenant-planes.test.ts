import { afterAll, beforeAll, expect, test } from 'vitest'
import { callerWith, made, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const ACME = tenantHeaders('acme')
const UMBRELLA = tenantHeaders('umbrella')
const MAPS = '/api/v1/namespaces/default/configmaps'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: TENANT_ENV })
})
afterAll(() => server[Symbol.asyncDispose]())

async function inPlane(
  cluster: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
) {
  const url = `${server.origin}/clusters/${encodeURIComponent(cluster)}/control-plane${path}`
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, text }
}

const cluster = (headers: Readonly<Record<string, string>>, name: string) =>
  made(callerWith(server, headers), '/clusters', creation('Cluster', { name }))

test('a tenant addresses its planes by name, and never those of others', async () => {
  const mine = await cluster(ACME, 'prod')
  const theirs = await cluster(UMBRELLA, 'prod')
  await cluster(ACME, 'only-acme')
  const created = await Promise.all(
    [ACME, UMBRELLA].map((headers, index) =>
      inPlane('prod', MAPS, headers, { metadata: { name: `of-tenant-${index}` } }),
    ),
  )
  expect(created.map(({ status }) => status)).toEqual([201, 201])
  for (const reference of ['prod', mine.id]) {
    const { status, text } = await inPlane(reference, MAPS, ACME)
    expect([status, text.includes('of-tenant-0'), text.includes('of-tenant-1')]).toEqual([
      200,
      true,
      false,
    ])
  }
  const missing = await inPlane('missing', MAPS, UMBRELLA)
  for (const reference of ['only-acme', mine.id]) {
    const { status, text } = await inPlane(reference, MAPS, UMBRELLA)
    expect([status, text]).toEqual([404, missing.text.replaceAll('missing', reference)])
  }
  expect((await inPlane(theirs.id, MAPS, ACME)).status).toBe(404)
})

test('the id of another tenant hides no name, and so does not show that it exists', async () => {
  const { id } = await cluster(ACME, 'hidden')
  const named = id.toLowerCase()
  await cluster(UMBRELLA, named)
  expect((await inPlane(named, MAPS, UMBRELLA)).status).toBe(200)
})

test('a system addresses planes by id only, because a name belongs to a tenant', async () => {
  const { id } = await cluster(ACME, 'for-systems')
  expect((await inPlane(id, MAPS, SYSTEM_HEADERS)).status).toBe(200)
  expect((await inPlane('for-systems', MAPS, SYSTEM_HEADERS)).status).toBe(404)
})
