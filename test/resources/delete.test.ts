import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineKind, type Kind } from '../../src/store/registry/kind.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import {
  conditionsOf,
  create,
  creation,
  KIND_CASES,
  newName,
  queryDatabase,
  report,
} from '../support/fixtures.ts'
import { finalizing, fullReport, reportAll } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const remove = (item: string) => server.request('DELETE', item)

describe.each(KIND_CASES)('delete $kind', (kindCase) => {
  const { kind, flat, requiredAdapters } = kindCase

  test('marks the resource, increments its generation and returns it with 202', async () => {
    const { body, item } = await create(server, kindCase)
    const response = await remove(item)
    expect(response).toMatchObject({
      status: 202,
      body: {
        ...body,
        generation: 2,
        updated_time: expect.any(String),
        deleted_time: expect.any(String),
        deleted_by: 'system@hyperfleet.local',
        status: expect.anything(),
      },
    })
    expect(response.body.updated_time).toBe(response.body.deleted_time)
    expect(response.headers.get('etag')).toBe(`"${body.id}.2"`)
    const ready = conditionsOf(response.body).get('Ready')
    expect(ready).toMatchObject({ status: 'False', observed_generation: 2 })
  })

  test('keeps it readable and listed, and searches can exclude it', async () => {
    const { body, item } = await create(server, kindCase)
    const deleted = (await remove(item)).body
    expect((await server.get(item)).body).toEqual(deleted)
    const found = async (search: string) =>
      (await server.get(`${flat}?search=id='${body.id}' and ${search}`)).body.total
    expect(await found('deleted_time is null')).toBe(0)
    expect(await found('deleted_time is not null')).toBe(1)
    expect(await found(`deleted_time <= '${deleted.deleted_time}'`)).toBe(1)
    expect(await found(`deleted_time < '${deleted.deleted_time}'`)).toBe(0)
  })

  test('returns 202 again and changes nothing', async () => {
    const { item } = await create(server, kindCase)
    const first = await remove(item)
    const again = await remove(item)
    expect(again).toMatchObject({ status: 202, body: first.body })
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'))
  })

  test('keeps Available and sets Ready to False', async () => {
    const { item } = await create(server, kindCase)
    for (const adapter of requiredAdapters) await server.post(`${item}/statuses`, report(adapter))
    const conditions = conditionsOf((await remove(item)).body)
    expect(conditions.get('Available')).toMatchObject({ status: 'True', observed_generation: 1 })
    expect(conditions.get('Ready')).toMatchObject({ status: 'False', observed_generation: 2 })
  })

  test('rejects further changes of the resource', async () => {
    const { item } = await create(server, kindCase)
    await remove(item)
    expect(await server.patch(item, { spec: { other: true } })).toMatchObject({
      status: 409,
      body: { code: 'HYPERFLEET-CNF-003', detail: expect.stringContaining('is being deleted') },
    })
  })

  test('releases the name immediately', async () => {
    const { body, collection, item } = await create(server, kindCase)
    await remove(item)
    const again = await server.post(collection, creation(kind, { name: body.name }))
    expect(again.status).toBe(201)
    expect(again.body.id).not.toBe(body.id)
    expect(await server.post(collection, creation(kind, { name: body.name }))).toMatchObject({
      status: 409,
      body: { code: 'HYPERFLEET-CNF-001' },
    })
  })

  test('removes the resource and its reports when the last required adapter has finalized it', async () => {
    const { body, item } = await create(server, kindCase)
    await remove(item)
    const [last = '', ...others] = requiredAdapters.toReversed()
    await reportAll(server, item, others, finalizing(2))
    expect((await server.get(item)).status).toBe(200)
    const [response] = await reportAll(server, item, [last], finalizing(2))
    expect(response).toMatchObject({ status: 201, body: { adapter: last, observed_generation: 2 } })
    expect((await server.get(item)).status).toBe(404)
    expect((await server.request('PUT', `${item}/statuses`, finalizing(2)(last))).status).toBe(404)
    expect((await remove(item)).status).toBe(404)
    const left = await queryDatabase(
      server,
      'select adapter from adapter_statuses where resource_id = $1',
      [body.id],
    )
    expect(left).toEqual([])
  })

  test('ignores Finalized that is False, from other adapters, or for an older generation', async () => {
    const { item } = await create(server, kindCase)
    await reportAll(server, item, requiredAdapters, finalizing(1))
    await remove(item)
    await reportAll(server, item, ['other-adapter'], finalizing(2))
    const [last = '', ...others] = requiredAdapters
    await reportAll(server, item, others, finalizing(2))
    const notFinalized = fullReport(last, 2)
    notFinalized.conditions.push({ type: 'Finalized', status: 'False' })
    await server.request('PUT', `${item}/statuses`, notFinalized)
    expect((await server.get(item)).status).toBe(200)
    await reportAll(server, item, [last], finalizing(2))
    expect((await server.get(item)).status).toBe(404)
  })

  test('withdraws Finalized if the next report of the adapter lacks it', async () => {
    const { item } = await create(server, kindCase)
    await remove(item)
    const [first = '', ...others] = requiredAdapters
    await reportAll(server, item, [first], finalizing(2))
    await reportAll(server, item, [first], (adapter) => fullReport(adapter, 2))
    await reportAll(server, item, others, finalizing(2))
    expect((await server.get(item)).status).toBe(200)
    await reportAll(server, item, [first], finalizing(2))
    expect((await server.get(item)).status).toBe(404)
  })

  test.each(['POST', 'PUT'])(
    'keeps a %s report with Finalized True whose Available is Unknown, and the last Available',
    async (method) => {
      const { item } = await create(server, kindCase)
      const [first = '', ...others] = requiredAdapters
      await server.post(`${item}/statuses`, report(first))
      await remove(item)
      const unknown = fullReport(first, 2, { available: 'Unknown', finalized: true })
      const response = await server.request(method, `${item}/statuses`, unknown)
      expect(response.status).toBe(201)
      const conditions = [...conditionsOf((await server.get(item)).body).values()]
      expect(conditions.find(({ type }) => type.endsWith('Successful'))).toMatchObject({
        status: 'True',
        observed_generation: 1,
      })
      await reportAll(server, item, others, finalizing(2))
      expect((await server.get(item)).status).toBe(404)
    },
  )

  test('ignores Finalized reports that arrived before the deletion', async () => {
    const { item } = await create(server, kindCase)
    for (const adapter of requiredAdapters) {
      await server.post(`${item}/statuses`, finalizing(2)(adapter))
    }
    const { body } = await remove(item)
    expect(body).toMatchObject({ generation: 2, deleted_time: expect.any(String) })
    expect((await server.get(item)).status).toBe(200)
    await reportAll(server, item, requiredAdapters, finalizing(2))
    expect((await server.get(item)).status).toBe(404)
  })

  test('changes the version when an adapter finalizes, even if it never reports Available', async () => {
    const { item } = await create(server, kindCase)
    await remove(item)
    const send = async (...types: string[]) => {
      const conditions = types.map((type) => ({ type, status: 'True' }))
      const sent = report('validator', { observed_generation: 2, conditions })
      expect((await server.post(`${item}/statuses`, sent)).status).toBe(201)
      return (await server.get(item)).headers.get('etag')
    }
    const before = await send('Health')
    expect(await send('Health')).toBe(before)
    const finalized = await send('Health', 'Finalized')
    expect(finalized).not.toBe(before)
    expect(await send('Health')).not.toBe(finalized)
  })

  test('works through the path without the parent, and returns 404 for an unknown id', async () => {
    const { body } = await create(server, kindCase)
    expect((await remove(`${flat}/${body.id}`)).status).toBe(202)
    expect(await remove(`${flat}/unknown`)).toMatchObject({
      status: 404,
      body: { code: 'HYPERFLEET-NTF-001', detail: `${kind} with id='unknown' not found` },
    })
  })
})

describe('children', () => {
  const cluster = async () => {
    const { body } = await server.post('/clusters', creation('Cluster'))
    return { id: body.id, item: `/clusters/${body.id}` }
  }
  const pool = async (id: string) =>
    (await server.post(`/clusters/${id}/nodepools`, creation('NodePool'))).body
  const adaptersOf = (kind: string) =>
    KIND_CASES.find((kindCase) => kindCase.kind === kind)?.requiredAdapters ?? []

  test('with a cascading rule are deleted with their parent, and only once', async () => {
    const { id, item } = await cluster()
    const [first, second] = [await pool(id), await pool(id)]
    const early = (await remove(`/nodepools/${first.id}`)).body
    const parent = (await remove(item)).body
    expect((await server.get(`/nodepools/${first.id}`)).body).toEqual(early)
    expect((await server.get(`/nodepools/${second.id}`)).body).toMatchObject({
      generation: 2,
      deleted_time: parent.deleted_time,
      deleted_by: parent.deleted_by,
    })
  })

  test('keep a finalized parent, which is removed with the last of them', async () => {
    const { id, item } = await cluster()
    const pools = [await pool(id), await pool(id)]
    await remove(item)
    await reportAll(server, item, adaptersOf('Cluster'), finalizing(2))
    for (const { id: child } of pools) {
      expect((await server.get(item)).status).toBe(200)
      await reportAll(server, `/nodepools/${child}`, adaptersOf('NodePool'), finalizing(2))
      expect((await server.get(`/nodepools/${child}`)).status).toBe(404)
    }
    expect((await server.get(item)).status).toBe(404)
  })

  test('that are removed first do not remove the parent, which waits for its adapters', async () => {
    const { id, item } = await cluster()
    const child = await pool(id)
    await remove(item)
    await reportAll(server, `/nodepools/${child.id}`, adaptersOf('NodePool'), finalizing(2))
    expect((await server.get(item)).status).toBe(200)
    await reportAll(server, item, adaptersOf('Cluster'), finalizing(2))
    expect((await server.get(item)).status).toBe(404)
  })

  test('cannot be created under a parent that is being deleted', async () => {
    const { id, item } = await cluster()
    await remove(item)
    expect(await server.post(`${item}/nodepools`, creation('NodePool'))).toMatchObject({
      status: 409,
      body: {
        code: 'HYPERFLEET-CNF-003',
        detail: `Cluster with id='${id}' is being deleted and cannot be changed`,
      },
    })
  })
})

/** A kind with clusters as parents. Its plural is the name in lower case plus an s. */
function childKind(name: string, rules: Partial<Kind>): Kind {
  return defineKind({
    kind: name,
    plural: `${name.toLowerCase()}s`,
    singular: name.toLowerCase(),
    parent: { kind: 'Cluster', onDelete: 'cascade' },
    name: { minLength: 1, maxLength: 20 },
    spec: { type: 'object' },
    requiredAdapters: [],
    references: [],
    messages: { available: 'available', ready: 'ready' },
    ...rules,
  })
}

describe('delete rules', () => {
  let declared: TestServer
  beforeAll(async () => {
    declared = await startTestServer({
      kinds: [
        ...kinds,
        childKind('Guard', { parent: { kind: 'Cluster', onDelete: 'restrict' } }),
        childKind('Note', {}),
        childKind('Page', { parent: { kind: 'Note', onDelete: 'cascade' } }),
        childKind('Seal', {
          parent: { kind: 'Note', onDelete: 'cascade' },
          requiredAdapters: ['sealer'],
        }),
      ],
      env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' },
    })
  })
  afterAll(() => declared[Symbol.asyncDispose]())

  const createIn = async (collection: string, kind: string) => {
    const response = await declared.post(collection, { kind, name: newName(), spec: {} })
    expect(response.status, response.text).toBe(201)
    return `${collection}/${response.body.id}`
  }
  const statusOf = async (item: string) => (await declared.get(item)).status

  test('restrict returns 409 with the children until they are deleted', async () => {
    const cluster = await createIn('/clusters', 'Cluster')
    const guard = await createIn(`${cluster}/guards`, 'Guard')
    const name = (await declared.get(guard)).body.name
    expect(await declared.request('DELETE', cluster)).toMatchObject({
      status: 409,
      body: {
        code: 'HYPERFLEET-CNF-003',
        detail: expect.stringContaining(`Guard '${name}'`),
      },
    })
    expect((await declared.get(cluster)).body).toMatchObject({ generation: 1 })
    expect((await declared.request('DELETE', guard)).status).toBe(202)
    expect((await declared.request('DELETE', cluster)).status).toBe(202)
  })

  test('restrict names ten children in the error and counts the rest', async () => {
    const cluster = await createIn('/clusters', 'Cluster')
    for (let count = 0; count < 12; count += 1) await createIn(`${cluster}/guards`, 'Guard')
    const { body } = await declared.request('DELETE', cluster)
    expect(body.detail.match(/Guard '/g)).toHaveLength(10)
    expect(body.detail).toContain('and 2 more')
  })

  test('a resource without required adapters is removed immediately and returned with 202', async () => {
    const cluster = await createIn('/clusters', 'Cluster')
    const note = await createIn(`${cluster}/notes`, 'Note')
    const response = await declared.request('DELETE', note)
    expect(response).toMatchObject({
      status: 202,
      body: { generation: 2, deleted_time: expect.any(String) },
    })
    expect(await statusOf(note)).toBe(404)
    expect(await statusOf(cluster)).toBe(200)
  })

  test('returns 409 if a child has a kind that this server does not declare', async () => {
    const cluster = await createIn('/clusters', 'Cluster')
    await createIn(`${cluster}/notes`, 'Note')
    const { databaseUrl } = declared
    await using other = await startTestServer({ databaseUrl })
    for (const path of [cluster, `${cluster}?dryRun=All`]) {
      expect(await other.request('DELETE', path)).toMatchObject({
        status: 409,
        body: {
          code: 'HYPERFLEET-CNF-003',
          detail: expect.stringContaining("does not declare: Note '"),
        },
      })
    }
    await declared.request('DELETE', cluster)
    await createIn('/clusters', 'Cluster')
  })

  test('a repeated delete completes a deletion that no longer waits for adapters', async () => {
    const cluster = await createIn('/clusters', 'Cluster')
    await declared.request('DELETE', cluster)
    expect(await statusOf(cluster)).toBe(200)
    const { databaseUrl } = declared
    const env = { HYPERFLEET_CLUSTER_ADAPTERS: '[]' }
    await using other = await startTestServer({ databaseUrl, env })
    expect((await other.request('DELETE', cluster)).status).toBe(202)
    expect(await statusOf(cluster)).toBe(404)
  })

  test('removes descendants without required adapters immediately and the rest when they are finalized', async () => {
    const cluster = await createIn('/clusters', 'Cluster')
    const note = await createIn(`${cluster}/notes`, 'Note')
    const id = note.split('/').at(-1)
    const page = await createIn(`/notes/${id}/pages`, 'Page')
    const seal = await createIn(`/notes/${id}/seals`, 'Seal')
    expect((await declared.request('DELETE', cluster)).status).toBe(202)
    expect(await Promise.all([cluster, note, page, seal].map(statusOf))).toEqual([
      200, 200, 404, 200,
    ])
    await reportAll(declared, cluster, ['dns'], finalizing(2))
    expect(await statusOf(cluster)).toBe(200)
    await reportAll(declared, seal, ['sealer'], finalizing(2))
    expect(await Promise.all([cluster, note, seal].map(statusOf))).toEqual([404, 404, 404])
  })
})
