import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlaneSnapshots } from '../../src/planes/snapshots/plane-snapshots.ts'
import { removeStatesOfPlanes } from '../../src/sandboxes/storage/remove-states-of-planes.ts'
import { removePlanes } from '../../src/store/objects/storage/remove-planes.ts'
import { must } from '../../src/lib/assert.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { newName } from '../support/fixtures.ts'

const DEFINITION = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [
      { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
    ],
  },
}
interface Part {
  readonly group: string
  readonly resource: string
  readonly itemCount: number
}

const ROOT_USER = { name: 'root', uid: '', groups: ['system:masters'], extra: {} }

describe('the parts of a plane in a snapshot', () => {
  let server: TestServer

  beforeAll(async () => {
    server = await startTestServer({ env: { ROLE: 'all' } })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  async function newPlane(): Promise<{ readonly id: string; readonly path: string }> {
    const cluster = { kind: 'Cluster', name: newName(), spec: {} }
    const { body } = await server.post('/clusters', cluster)
    return { id: body.id, path: `/clusters/${body.id}/control-plane` }
  }

  const post = (path: string, body: object): Promise<Response> =>
    fetch(server.origin + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    })

  async function defineWidgets(path: string): Promise<void> {
    await post(`${path}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`, DEFINITION)
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }
    await expect
      .poll(async () => {
        return (await post(`${path}/apis/example.com/v1/namespaces/default/widgets`, widget)).status
      })
      .toBe(201)
  }

  it('include objects whose definition this server has not received yet', async () => {
    const { id, path } = await newPlane()
    const { types, authorizer, store } = server.planes
    await post(`${path}/api/v1/namespaces/default/configmaps`, { metadata: { name: 'a' } })
    const older = await types.typesOf(id)
    await using database = openTestDatabase(server.databaseUrl)
    let isReached = false
    const snapshots = createPlaneSnapshots({
      database,
      codecOf: () => null,
      resources: [],
      types: { typesOf: (plane) => (isReached ? types.typesOf(plane) : Promise.resolve(older)) },
      configurations: {
        waitFor: () => {
          isReached = true
          return Promise.resolve(true)
        },
      },
      authorizer,
      follow: store.follow,
      startOf: () => Promise.resolve(0n),
    })
    const selection = {
      plane: id,
      user: ROOT_USER,
      names: ['widgets'],
      others: [],
      includeEmpty: false,
    }
    const before = must(await snapshots.read(selection), 'a plane')
    expect(before.parts).toEqual([])
    await defineWidgets(path)
    const read = await snapshots.read(selection)
    expect(read?.parts).toMatchObject([{ resource: 'widgets', items: [expect.any(String)] }])
    isReached = false
    const received: string[] = []
    using _following = await snapshots.follow(selection, before.revision, {
      onChange: ({ resource }) => received.push(resource),
      onDenied: () => received.push('denied'),
      onLost: () => received.push('lost'),
      ready: () => Promise.resolve(),
    })
    await expect.poll(() => received).toEqual(['widgets'])
  })

  it('are no longer followed by a user who has lost the permission to list them', async () => {
    const { id, path } = await newPlane()
    const { types, store } = server.planes
    await post(`${path}/api/v1/namespaces/default/configmaps`, { metadata: { name: 'a' } })
    await using database = openTestDatabase(server.databaseUrl)
    const allowed = new Set(['configmaps', 'secrets'])
    const received: string[] = []
    let now = 0
    const snapshots = createPlaneSnapshots({
      database,
      codecOf: () => null,
      resources: [],
      types,
      configurations: { waitFor: () => Promise.resolve(true) },
      authorizer: {
        authorize: ({ resource }) =>
          Promise.resolve({ allowed: allowed.has(resource?.plural ?? ''), reason: '' }),
      },
      follow: store.follow,
      startOf: () => Promise.resolve(0n),
      now: () => now,
    })
    const names = ['configmaps', 'secrets', 'serviceaccounts']
    const selection = { plane: id, user: ROOT_USER, names, others: [], includeEmpty: false }
    const { revision } = must(await snapshots.read(selection), 'a plane')
    using _following = await snapshots.follow(selection, revision, {
      onChange: ({ resource }) => received.push(resource),
      onDenied: () => received.push('denied'),
      onLost: () => received.push('lost'),
      ready: () => Promise.resolve(),
    })
    const create = async (resource: string): Promise<void> => {
      const body = { metadata: { name: newName() } }
      const created = await post(`${path}/api/v1/namespaces/default/${resource}`, body)
      expect(created.status).toBe(201)
    }
    await create('serviceaccounts')
    await create('secrets')
    await create('configmaps')
    await expect.poll(() => received).toEqual(['secrets', 'configmaps'])
    allowed.delete('secrets')
    await create('configmaps')
    await expect.poll(() => received).toEqual(['secrets', 'configmaps', 'configmaps'])
    now += 15_000
    await create('configmaps')
    await create('secrets')
    await expect
      .poll(() => received)
      .toEqual(['secrets', 'configmaps', 'configmaps', 'configmaps', 'denied'])
  })

  it('have no items on request, for requested and for all served resources', async () => {
    const { path } = await newPlane()
    await post(`${path}/api/v1/namespaces/default/configmaps`, { metadata: { name: 'a' } })
    const read = async (query: string): Promise<ReadonlyMap<string, number>> => {
      const response = await fetch(`${server.origin}${path}/snapshot?includeEmpty=true${query}`)
      const resources: readonly Part[] = JSON.parse(await response.text()).resources
      return new Map(
        resources.map(({ group, resource, itemCount }) => {
          return [`${resource}.${group}`, itemCount]
        }),
      )
    }
    const requested = await read('&resource=configmaps,secrets,pods,jobs.batch,statuses')
    expect(Object.fromEntries(requested)).toEqual({
      'configmaps.': 1,
      'secrets.': 0,
      'pods.': 0,
      'jobs.batch': 0,
      'statuses.hyperfleet': 0,
    })
    const all = await read('')
    const { types } = await server.planes.types.typesOf(path.split('/')[2] ?? '')
    for (const [name, count] of Object.entries({ 'secrets.': 0, 'configmaps.': 1, 'events.': 0 })) {
      expect(all.get(name)).toBe(count)
    }
    expect(all.get('leases.coordination.k8s.io')).toBe(0)
    expect(
      [...all.keys()].filter((name) => /reviews?\.|events\.events|hyperfleet\.io/.test(name)),
    ).toEqual([])
    expect(all.size).toBeGreaterThan(types.length / 2)
  })

  it('are followed even if the names select nothing at the start', async () => {
    const { path } = await newPlane()
    using stopped = new DisposableAbort()
    const { signal } = stopped
    const response = await fetch(`${server.origin}${path}/snapshot?watch=true&resource=widgets`, {
      signal,
    })
    let text = ''
    for await (const chunk of response.body ?? []) {
      if (text === '') await defineWidgets(path)
      text += Buffer.from(chunk).toString()
      if (text.includes('"type":"ADDED"')) break
    }
    expect(text).toContain('"resource":"widgets"')
  })

  it('are not missing while the plane is removed: the cluster is not found', async () => {
    const { id, path } = await newPlane()
    await post(`${path}/api/v1/namespaces/default/configmaps`, { metadata: { name: 'a' } })
    const read = (): Promise<Response> => fetch(`${server.origin}${path}/snapshot`)
    expect((await read()).status).toBe(200)
    const client = new pg.Client({ connectionString: server.databaseUrl })
    await client.connect()
    // This server does not receive the removal of the cluster, so its subtree stays in memory.
    await client.query('select pg_advisory_lock(7305188022)')
    await client.query('delete from resources where id = $1', [id])
    await using database = openTestDatabase(server.databaseUrl)
    await removePlanes(database, [id], { batchSize: 100, removeRecords: removeStatesOfPlanes })
    expect((await read()).status).toBe(504)
    await client.end()
    expect((await read()).status).toBe(404)
  })
})

class DisposableAbort extends AbortController implements Disposable {
  [Symbol.dispose](): void {
    this.abort()
  }
}
