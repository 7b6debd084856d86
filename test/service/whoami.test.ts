import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Client, Unauthorized } from '../../clients/typescript/src/index.ts'
import { bearerOf, type PlaneServer, startPlaneServer } from '../planes/identities.ts'
import { callerWith, SYSTEM_HEADERS, TENANT_ENV, tenantHeaders } from '../auth/tenants.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const PATH = '/api/hyperfleet/v1/whoami'

describe('without authentication', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer({ env: TENANT_ENV })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('a caller of a tenant sees its tenant and the identity from the gateway', async () => {
    const { body } = await callerWith(server, tenantHeaders('acme')).get('/whoami')
    expect(body).toEqual({
      kind: 'Identity',
      user: 'ada@acme.example.com',
      groups: [],
      tenant: { org: 'acme', project: 'web' },
      authentication: 'gateway',
      expires_time: null,
      authorization: 'none',
    })
  })

  test('a system caller has no tenant', async () => {
    const { body } = await callerWith(server, SYSTEM_HEADERS).get('/whoami')
    expect(body).toMatchObject({ user: 'adapter@example.com', tenant: null })
  })

  test('a caller without a tenant is rejected', async () => {
    expect((await server.get('/whoami')).status).toBe(403)
  })

  test('an unknown parameter is rejected', async () => {
    const answer = await callerWith(server, tenantHeaders('acme')).get('/whoami?who=me')
    expect(answer.status).toBe(400)
  })
})

describe('with tokens and roles', () => {
  let planes: PlaneServer
  beforeAll(async () => {
    planes = await startPlaneServer()
  })
  afterAll(() => planes[Symbol.asyncDispose]())

  test('a caller without any role sees its user, its groups and the end of its token', async () => {
    const { status, body } = await planes.call(bearerOf('eve@example.com', 'ops'), 'GET', PATH)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      user: 'eve@example.com',
      groups: ['ops'],
      tenant: null,
      authentication: 'token',
      authorization: 'rbac',
    })
    expect(Date.parse(body.expires_time)).toBeGreaterThan(Date.now())
  })

  test('a request without a token is rejected', async () => {
    expect((await planes.call('', 'GET', PATH)).status).toBe(401)
    await expect(new Client(planes.server.origin).whoami()).rejects.toThrow(Unauthorized)
  })
})

test('a server without authentication says so', async () => {
  await using server = await startTestServer()
  expect(await new Client(server.origin).whoami()).toMatchObject({
    user: 'system@hyperfleet.local',
    authentication: 'none',
    authorization: 'none',
    tenant: null,
    expires_time: null,
  })
})
