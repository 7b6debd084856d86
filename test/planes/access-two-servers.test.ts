import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { bearerOf, eventually, type PlaneServer, ROOT, startPlaneServer } from './identities.ts'

const RBAC = 'rbac.authorization.k8s.io'
const MAPS = '/api/v1/namespaces/default/configmaps'

let database: TestDatabase
let first: PlaneServer
let second: PlaneServer

beforeAll(async () => {
  database = await createTestDatabase()
  first = await startPlaneServer({}, database.url)
  second = await startPlaneServer({}, database.url)
})
afterAll(async () => {
  await first[Symbol.asyncDispose]()
  await second[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

test('R32: a binding that one server stores takes effect on the other, and so does its removal', async () => {
  const ada = bearerOf('ada@example.com')
  expect((await second.call(ada, 'GET', MAPS)).status).toBe(403)
  const bindings = `/apis/${RBAC}/v1/namespaces/default/rolebindings`
  await first.call(ROOT, 'POST', bindings, {
    metadata: { name: 'ada' },
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'view' },
    subjects: [{ apiGroup: RBAC, kind: 'User', name: 'ada@example.com' }],
  })
  expect((await first.call(ada, 'GET', MAPS)).status).toBe(200)
  expect((await eventually(() => second.call(ada, 'GET', MAPS), 200)).status).toBe(200)
  await second.call(ROOT, 'DELETE', `${bindings}/ada`)
  expect((await second.call(ada, 'GET', MAPS)).status).toBe(403)
  expect((await eventually(() => first.call(ada, 'GET', MAPS), 403)).status).toBe(403)
})

test('R35: a token of one server is valid on the other until its account is deleted', async () => {
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  const whoami = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  await first.call(ROOT, 'POST', accounts, { metadata: { name: 'robot' } })
  const tokens = await Promise.all(
    [first, second].map(async (server) => {
      const { body } = await server.call(ROOT, 'POST', `${accounts}/robot/token`, { spec: {} })
      return `Bearer ${body.status.token}`
    }),
  )
  for (const token of tokens) {
    for (const server of [first, second]) {
      expect((await server.call(token, 'POST', whoami, {})).status).toBe(201)
    }
  }
  await first.call(ROOT, 'DELETE', `${accounts}/robot`)
  for (const token of tokens) {
    for (const server of [first, second]) {
      expect((await server.call(token, 'POST', whoami, {})).status).toBe(401)
    }
  }
})
