import { afterAll, beforeAll, expect, test } from 'vitest'
import { type KeyServer, serveKeys, signingKey } from '../../src/http/auth/fixtures.ts'
import { lockTable } from '../storage/row-lock.ts'
import { creation } from '../support/fixtures.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const KEY = signingKey('RS256', 'current')

let keys: KeyServer
beforeAll(async () => {
  keys = await serveKeys(KEY)
})
afterAll(() => keys[Symbol.asyncDispose]())

function startServer(env: Readonly<Record<string, string>>): Promise<TestServer> {
  return startTestServer({
    config: { auditQueueEvents: 100 },
    env: {
      JWT_JWKS_URL: keys.url,
      JWT_ISSUER: 'https://issuer.example.com',
      JWT_AUDIENCE: 'flotilla',
      ...env,
    },
  })
}

/** A request with a valid token. */
function authenticated(server: TestServer, method: string, path: string, body?: object) {
  const exp = Math.floor(Date.now() / 1000) + 600
  const claims = {
    iss: 'https://issuer.example.com',
    aud: 'flotilla',
    exp,
    email: 'ada@example.com',
  }
  return server.request(method, path, body, {
    Authorization: KEY.bearer(claims),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  })
}

async function readEvents(server: TestServer) {
  const { body } = await authenticated(server, 'GET', '/audit')
  return body.items.map(({ user, verb, status }: Record<string, unknown>) => [user, verb, status])
}

test('a rule can omit requests without a valid identity', async () => {
  const policy = [
    { level: 'None', users: [''] },
    { level: 'None', verbs: ['list'] },
    { level: 'Metadata' },
  ]
  await using server = await startServer({ AUDIT: `policy=${JSON.stringify(policy)}` })
  expect((await server.post('/clusters', creation('Cluster'))).status).toBe(401)
  const plane = await fetch(`${server.origin}/api/v1/namespaces/default/configmaps`, {
    headers: { Authorization: 'Bearer wrong' },
  })
  expect(plane.status).toBe(401)
  const { status } = await authenticated(server, 'POST', '/clusters', creation('Cluster'))
  expect(status).toBe(201)
  const expected = [['ada@example.com', 'create', 201]]
  await expect.poll(() => readEvents(server)).toEqual(expected)
})

test('without such a rule they are recorded, and do not block other writes', async () => {
  await using server = await startServer({ AUDIT: 'when-full=block' })
  await using lock = await lockTable(server.databaseUrl, 'audit_events')
  for (let count = 0; count < 150; count += 1) {
    expect((await server.post('/clusters', creation('Cluster'))).status).toBe(401)
  }
  const { status } = await authenticated(server, 'POST', '/clusters', creation('Cluster'))
  expect(status).toBe(201)
  await lock[Symbol.asyncDispose]()
  await expect.poll(() => readEvents(server)).toContainEqual(['ada@example.com', 'create', 201])
  expect(await readEvents(server)).toContainEqual(['', 'post', 401])
})
