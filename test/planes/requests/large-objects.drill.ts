import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const MAPS = '/api/v1/namespaces/default/configmaps'
const TOO_LARGE = { kind: 'Status', reason: 'RequestEntityTooLarge', code: 413 }

async function send(method: string, path: string, body: unknown, type = 'application/json') {
  const headers = { 'Content-Type': type }
  const response = await fetch(server.origin + path, {
    method,
    headers,
    body: JSON.stringify(body),
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const configMap = (name: string, keys: number) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data: Object.fromEntries(Array.from({ length: keys }, (_, index) => [`k${index}`, 'v'])),
})

it('rejects an object that is too large only with the fields of its creator', async () => {
  const created = await send('POST', MAPS, configMap('many', 90_000))
  expect(created).toMatchObject({ status: 413, body: TOO_LARGE })
  const path = `${MAPS}/applied?fieldManager=me`
  const applied = await send(
    'PATCH',
    path,
    configMap('applied', 90_000),
    'application/apply-patch+yaml',
  )
  expect(applied).toMatchObject({ status: 413, body: TOO_LARGE })
})

it('tracks an object with many keys, and its change', async () => {
  const { status, body } = await send('POST', MAPS, configMap('some', 20_000))
  expect(status).toBe(201)
  expect(Object.keys(body.metadata.managedFields[0].fieldsV1['f:data'])).toHaveLength(20_001)
  const merge = 'application/merge-patch+json'
  const path = `${MAPS}/some?fieldManager=other`
  const patched = await send('PATCH', path, { data: { k7: 'w' } }, merge)
  expect(patched.status).toBe(200)
  const [first, second] = patched.body.metadata.managedFields
  expect(Object.keys(first.fieldsV1['f:data'])).toHaveLength(20_000)
  expect(second).toMatchObject({ manager: 'other', fieldsV1: { 'f:data': { 'f:k7': {} } } })
  const grown = await send('PATCH', path, { data: configMap('', 90_000).data }, merge)
  expect(grown).toMatchObject({ status: 413, body: TOO_LARGE })
})
