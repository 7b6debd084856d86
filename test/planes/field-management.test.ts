import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { LOG_LEVEL: 'error' } })
})
afterAll(() => server[Symbol.asyncDispose]())

const MANAGED = 'fieldManager=one'

const MAPS = '/api/v1/namespaces/default/configmaps'

interface Send {
  readonly type?: string
  readonly agent?: string
}

async function send(method: string, path: string, body: unknown, { type, agent }: Send = {}) {
  const response = await fetch(server.origin + path, {
    method,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: {
      'Content-Type': type ?? 'application/json',
      'User-Agent': agent ?? 'test/1.0',
    },
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

const apply = (name: string, fields: object, query: string) =>
  send(
    'PATCH',
    `${MAPS}/${name}?${query}`,
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, ...fields },
    { type: 'application/apply-patch+yaml' },
  )

const patch = (name: string, kind: 'json' | 'merge' | 'strategic-merge', body: unknown) =>
  send('PATCH', `${MAPS}/${name}`, body, { type: `application/${kind}-patch+json` })

const create = (name: string, fields: object, options?: Send) =>
  send('POST', MAPS, { metadata: { name }, ...fields }, options)

describe('R21: server-side apply', () => {
  test('R21: creates, changes and prunes an object', async () => {
    const created = await apply('a', { data: { x: '1', y: '1' } }, 'fieldManager=one')
    expect(created.status).toBe(201)
    expect(created.body.metadata.managedFields).toMatchObject([
      {
        manager: 'one',
        operation: 'Apply',
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { 'f:x': {}, 'f:y': {} } },
      },
    ])
    const changed = await apply('a', { data: { x: '2' } }, 'fieldManager=one')
    expect(changed).toMatchObject({ status: 200, body: { data: { x: '2' } } })
    expect(changed.body.data).toEqual({ x: '2' })
  })

  test('R6: changes nothing if the same object is applied again', async () => {
    const first = await apply('same', { data: { x: '1' } }, 'fieldManager=one')
    const second = await apply('same', { data: { x: '1' } }, 'fieldManager=one')
    expect(second).toEqual({ status: 200, body: first.body })
  })

  test('R21: is 409 if another manager owns a changed field, and takes it over by force', async () => {
    await create('conflict', { data: { x: '1' } }, { agent: 'kubectl/v1.35.0 (linux)' })
    const conflict = await apply('conflict', { data: { x: '2' } }, 'fieldManager=one')
    expect(conflict).toMatchObject({
      status: 409,
      body: {
        kind: 'Status',
        status: 'Failure',
        reason: 'Conflict',
        code: 409,
        message: 'Apply failed with 1 conflict: conflict with "kubectl" using v1: .data.x',
        details: {
          causes: [
            {
              reason: 'FieldManagerConflict',
              message: 'conflict with "kubectl" using v1',
              field: '.data.x',
            },
          ],
        },
      },
    })
    const forced = await apply('conflict', { data: { x: '2' } }, 'fieldManager=one&force=true')
    expect(forced).toMatchObject({ status: 200, body: { data: { x: '2' } } })
  })

  test('R22: stores nothing in a dry run', async () => {
    const dry = await apply('dry', { data: { x: '1' } }, 'fieldManager=one&dryRun=All')
    expect(dry).toMatchObject({ status: 201, body: { data: { x: '1' } } })
    expect((await send('GET', `${MAPS}/dry`, undefined)).status).toBe(404)
  })

  test('R21: accepts YAML', async () => {
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  x: "1"\n'
    const type = 'application/apply-patch+yaml'
    const applied = await send('PATCH', `${MAPS}/yaml?fieldManager=one`, text, { type })
    expect(applied).toMatchObject({ status: 201, body: { data: { x: '1' } } })
  })

  test.each<[string, object, string, number]>([
    ['lacks a manager', {}, '', 422],
    ['names an unprintable manager', {}, 'fieldManager=%07', 422],
    ['has another dry run', {}, 'fieldManager=one&dryRun=Some', 422],
    ['has managedFields', { metadata: { name: 'bad', managedFields: [] } }, MANAGED, 400],
    ['has another kind', { kind: 'Secret' }, MANAGED, 400],
    ['has an undeclared field', { other: 1 }, MANAGED, 400],
    ['has a value of another type', { data: { a: 1 } }, MANAGED, 400],
    ['has the uid of another object', { metadata: { name: 'bad', uid: 'x' } }, MANAGED, 409],
  ])('R21: is rejected if it %s', async (_what, fields, query, status) => {
    expect((await apply('bad', fields, query)).status).toBe(status)
  })

  test('R21: continues client-side apply after kubectl has moved its fields', async () => {
    const { body } = await create('moved', { data: { x: '1' } }, { agent: 'kubectl/v1.35.0' })
    const managedFields = [
      { ...body.metadata.managedFields[0], manager: 'kubectl', operation: 'Apply' },
    ]
    const { resourceVersion } = body.metadata
    const moved = await patch('moved', 'json', [
      { op: 'replace', path: '/metadata/managedFields', value: managedFields },
      { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
    ])
    expect(moved.body.metadata.managedFields).toMatchObject([
      { manager: 'kubectl', operation: 'Apply' },
    ])
    const pruned = await apply('moved', { data: { y: '1' } }, 'fieldManager=kubectl')
    expect(pruned.body.data).toEqual({ y: '1' })
  })
})

describe('R20: patches over HTTP', () => {
  test('R20: record the manager of the user agent', async () => {
    await create('managed', { data: { x: '1' } }, { agent: 'one/1' })
    const { body } = await send(
      'PATCH',
      `${MAPS}/managed`,
      { data: { x: '2' } },
      { type: 'application/merge-patch+json', agent: 'two/1' },
    )
    const managers = body.metadata.managedFields.map(
      (entry: { manager: string; fieldsV1: object }) => [entry.manager, entry.fieldsV1],
    )
    expect(managers).toEqual(
      expect.arrayContaining([
        ['one', { 'f:data': {} }],
        ['two', { 'f:data': { 'f:x': {} } }],
      ]),
    )
  })

  test('R20: must not be forced', async () => {
    const type = 'application/merge-patch+json'
    const { status, body } = await send('PATCH', `${MAPS}/any?force=true`, {}, { type })
    expect([status, body.message]).toEqual([
      422,
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    ])
  })

  test('R23: must not have duplicate fields if validation is strict', async () => {
    await create('duplicate', { data: { x: '1' } })
    const type = 'application/merge-patch+json'
    const text = '{"data":{"x":"1","x":"2"}}'
    const path = `${MAPS}/duplicate?fieldValidation=Strict`
    const { status, body } = await send('PATCH', path, text, { type })
    expect([status, body.message]).toEqual([
      422,
      expect.stringContaining('strict decoding error: duplicate field "data.x"'),
    ])
  })

  test('R20: merge by key in service accounts', async () => {
    const path = '/api/v1/namespaces/default/serviceaccounts'
    const secrets = [{ name: 'a' }, { name: 'b' }]
    await send('POST', path, { metadata: { name: 'robot' }, secrets })
    const body = {
      '$setElementOrder/secrets': [{ name: 'b' }, { name: 'c' }],
      secrets: [{ name: 'c' }, { $patch: 'delete', name: 'a' }],
    }
    const type = 'application/strategic-merge-patch+json'
    const patched = await send('PATCH', `${path}/robot`, body, { type })
    expect(patched.body.secrets).toEqual([{ name: 'b' }, { name: 'c' }])
  })

  test.each<[string, 'json' | 'merge' | 'strategic-merge', unknown, number]>([
    ['is not a list', 'json', {}, 400],
    ['removes a missing field', 'json', [{ op: 'remove', path: '/data/z' }], 422],
    ['is not an object', 'merge', [], 400],
    ['has an unknown directive', 'strategic-merge', { data: { $patch: 'x' } }, 422],
    ['names a stale version', 'merge', { metadata: { resourceVersion: '1' } }, 409],
    ['changes the name', 'merge', { metadata: { name: 'other' } }, 400],
  ])('R20: are rejected if the patch %s', async (_what, kind, body, status) => {
    await create('target', { data: { x: '1' } })
    expect((await patch('target', kind, body)).status).toBe(status)
  })
})
