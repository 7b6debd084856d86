import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { defineKind } from '../../src/store/registry/kind.ts'
import { creation, report } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const note = defineKind({
  kind: 'Note',
  plural: 'notes',
  singular: 'note',
  parent: { kind: 'Cluster', onDelete: 'cascade' },
  name: { minLength: 1, maxLength: 20 },
  spec: { type: 'object' },
  requiredAdapters: [],
  references: [],
  messages: { available: '', ready: '' },
  hasStatuses: false,
})

describe('a kind without statuses', () => {
  let server: TestServer
  let parent: string
  let collection: string

  beforeAll(async () => {
    server = await startTestServer({ kinds: [...kinds, note] })
    parent = (await server.post('/clusters', creation('Cluster'))).body.id
    collection = `/clusters/${parent}/notes`
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const create = async (name: string) =>
    (await server.post(collection, { kind: 'Note', name, spec: { text: 'one' } })).body

  test('has no conditions after a create, a read and a change of its spec', async () => {
    const created = await create('first')
    expect(created.status).toEqual({ conditions: [] })
    const patch = { spec: { text: 'two' } }
    const patched = await server.request('PATCH', `/notes/${created.id}`, patch, JSON_TYPE)
    expect(patched).toMatchObject({
      status: 200,
      body: { generation: 2, status: { conditions: [] } },
    })
    expect((await server.get(`/notes/${created.id}`)).body).toEqual(patched.body)
    expect((await server.get(collection)).body.items).toEqual([patched.body])
  })

  test('takes no reports', async () => {
    const { id } = await create('second')
    for (const item of [`/notes/${id}`, `${collection}/${id}`, `/resources/${id}`]) {
      expect((await server.get(`${item}/statuses`)).status).toBe(404)
      expect((await server.post(`${item}/statuses`, report('any'))).status).toBe(404)
    }
  })

  test('is removed as soon as it is deleted', async () => {
    const { id } = await create('third')
    expect((await server.request('DELETE', `/notes/${id}`)).status).toBe(202)
    expect((await server.get(`/notes/${id}`)).status).toBe(404)
  })

  test('matches no search for a condition', async () => {
    await create('fourth')
    const search = encodeURIComponent("status.conditions.Ready = 'False'")
    expect((await server.get(`/notes?search=${search}`)).body).toMatchObject({ total: 0 })
  })
})
