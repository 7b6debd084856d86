import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { create, creation, KIND_CASES, newName, queryDatabase } from '../support/fixtures.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { must } from '../../src/lib/assert.ts'
import { referringKinds } from '../support/referring-kinds.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const rootKinds = kinds.filter(({ parent }) => parent === null)
const cluster = must(
  KIND_CASES.find(({ kind }) => kind === 'Cluster'),
  'the kind Cluster',
)

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const notFound = (detail: string) => ({
  status: 404,
  body: { code: 'HYPERFLEET-NTF-001', detail },
})

describe.each(KIND_CASES)('GET of by-name, for $kind', (kind) => {
  test('returns the same response as the item, with its href as Content-Location', async () => {
    const { body, item, collection } = await create(server, kind)
    const found = await server.get(`${collection}/by-name/${body.name}`)
    expect(found).toMatchObject({ status: 200, body })
    expect(found.headers.get('content-location')).toBe(body.href)
    const etag = (await server.get(item)).headers.get('etag')
    expect(found.headers.get('etag')).toBe(etag)
    const again = await server.request('GET', `${collection}/by-name/${body.name}`, undefined, {
      'If-None-Match': String(etag),
    })
    expect(again.status).toBe(304)
  })

  test('returns 404 for an unknown name', async () => {
    const collection = await kind.collectionOf(server)
    for (const name of ['unknown', 'NoName', '%00']) {
      const response = await server.get(`${collection}/by-name/${name}`)
      expect(response).toMatchObject(
        notFound(`${kind.kind} with name='${decodeURIComponent(name)}' not found`),
      )
    }
  })

  test('returns 404 while the resource is being deleted, and finds a new one with the same name', async () => {
    const { body, item, collection } = await create(server, kind)
    await server.request('DELETE', item)
    const path = `${collection}/by-name/${body.name}`
    expect((await server.get(path)).status).toBe(404)
    const next = await server.post(collection, creation(kind.kind, { name: body.name }))
    expect((await server.get(path)).body.id).toBe(next.body.id)
  })
})

describe('GET of by-name below a parent', () => {
  test('finds names below that parent only, and requires the parent', async () => {
    const [first, second] = [await create(server, cluster), await create(server, cluster)]
    const name = newName()
    const pools = await Promise.all(
      [first, second].map(({ item }) =>
        server.post(`${item}/nodepools`, creation('NodePool', { name })),
      ),
    )
    const path = `nodepools/by-name/${name}`
    expect((await server.get(`${first.item}/${path}`)).body.id).toBe(pools[0]?.body.id)
    expect((await server.get(`${second.item}/${path}`)).body.id).toBe(pools[1]?.body.id)
    expect(await server.get(`/clusters/none/${path}`)).toMatchObject(
      notFound("Cluster with id='none' not found"),
    )
    expect((await server.get(`/${path}`)).status).toBe(404)
  })

  test.each(['statuses', 'snapshot', 'nodepools', 'force-delete'])(
    'finds a cluster named %s, although other paths contain this segment',
    async (name) => {
      const { body } = await create(server, cluster, { name })
      expect((await server.get(`/clusters/by-name/${name}`)).body.id).toBe(body.id)
    },
  )
})

describe('the 404 for an id that is a name', () => {
  test('points to the lookup by name, on all routes of the item and below it', async () => {
    const { body } = await create(server, cluster)
    const detail = expect.stringContaining(
      `'${body.name}' is the name of a Cluster, and this path takes its id; GET /api/hyperfleet/v1/clusters/by-name/${body.name} finds it by name`,
    )
    for (const [method, path, payload] of [
      ['GET', ''],
      ['DELETE', ''],
      ['PATCH', '', { spec: {} }],
      ['GET', '/statuses'],
      ['GET', '/nodepools'],
      ['POST', '/nodepools', creation('NodePool')],
    ] as const) {
      const response = await server.request(method, `/clusters/${body.name}${path}`, payload)
      expect(response, `${method} ${path}`).toMatchObject({
        status: 404,
        body: { code: 'HYPERFLEET-NTF-001', detail },
      })
    }
  })

  test('has no hint if no live resource has the name', async () => {
    const { body, item } = await create(server, cluster)
    await server.request('DELETE', item)
    for (const id of ['nowhere', body.name, 'No-Name', '2abc']) {
      expect(await server.get(`/clusters/${id}`)).toMatchObject(
        notFound(`Cluster with id='${id}' not found`),
      )
    }
  })
})

describe.each(['root', 'bulk', 'by-name'])('the name %s', (name) => {
  test.each(rootKinds)('is reserved for $kind', async ({ kind, plural, selects }) => {
    const spec = selects === undefined ? {} : { kind: 'Cluster' }
    const response = await server.post(`/${plural}`, creation(kind, { name, spec }))
    expect(response).toMatchObject({
      status: 400,
      body: {
        code: 'HYPERFLEET-VAL-000',
        errors: [{ field: 'name', message: `name '${name}' is reserved`, constraint: 'not' }],
      },
    })
  })

  test('is free for kinds with a parent', async () => {
    const { item } = await create(server, cluster)
    const created = await server.post(`${item}/nodepools`, creation('NodePool', { name }))
    expect(created.status).toBe(201)
    expect((await server.get(`${item}/nodepools/by-name/${name}`)).status).toBe(200)
  })

  test('stays readable if an existing root resource has it', async () => {
    const { body, item } = await create(server, cluster)
    await queryDatabase(server, 'update resources set name = $2 where id = $1', [body.id, name])
    expect((await server.get(item)).body).toMatchObject({ id: body.id, name })
    expect((await server.get(`/clusters/by-name/${name}`)).body).toMatchObject({ id: body.id })
    expect((await server.patch(item, { labels: { kept: 'yes' } })).status).toBe(200)
  })
})

test('configured kinds have lookups by name', async () => {
  await using configured = await startTestServer({ kinds: [...kinds, ...referringKinds] })
  const network = (await configured.post('/networks', creation('Network'))).body
  const subnet = (await configured.post(`/networks/${network.id}/subnets`, creation('Subnet'))).body
  expect((await configured.get(`/networks/by-name/${network.name}`)).body.id).toBe(network.id)
  const path = `/networks/${network.id}/subnets/by-name/${subnet.name}`
  expect((await configured.get(path)).body.id).toBe(subnet.id)
})
