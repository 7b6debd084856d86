import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Resource } from '../../src/store/model/resource.ts'
import type { PlaneSeed } from '../../src/store/objects/model/plane-seed.ts'
import { createMany } from '../../src/store/operations/bulk/create-many.ts'
import { deleteMany } from '../../src/store/operations/bulk/delete-many.ts'
import type { Database } from '../../src/store/database/database.ts'
import { compileSeed } from '../../src/planes/seeding/compile-seed.ts'
import { configMap, namespaceOf, widget, WIDGETS } from '../../src/planes/seeding/fixtures.ts'
import { instantiateSeed } from '../../src/planes/seeding/instantiate-seed.ts'
import type { JsonObject, JsonValue } from '../../src/lib/json/json.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { kubectlPrograms, openKubectl } from './clients/kubectl.ts'

const SECRET = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'token' } }
const TEMPLATE: readonly JsonValue[] = [
  namespaceOf('team'),
  WIDGETS,
  configMap('settings', { owner: '${name}', seed: '${index}' }, 'team'),
  widget('first', { label: 'text' }, 'team'),
  { ...SECRET, stringData: { value: 'a-hidden-value' } },
]
const MAPS = '/api/v1/namespaces/team/configmaps'
const WIDGET_PATH = '/apis/example.com/v1/namespaces/team/widgets'

let testDatabase: TestDatabase
let database: Database
/** Both servers run controllers if they are elected. */
let one: TestServer
let other: TestServer
beforeAll(async () => {
  const key = randomBytes(32).toString('base64')
  const env = {
    ROLE: 'all',
    SECRETS_ENCRYPTION_KEY: `2026:${key}`,
    HYPERFLEET_CLUSTER_ADAPTERS: '[]',
  }
  testDatabase = await createTestDatabase()
  database = openTestDatabase(testDatabase.url)
  one = await startTestServer({ env, databaseUrl: testDatabase.url })
  other = await startTestServer({ env, databaseUrl: testDatabase.url })
})
afterAll(async () => {
  await one[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
  await testDatabase[Symbol.asyncDispose]()
})

/** The context of operations beside the servers. */
function bulkContext() {
  const feed = { sequencer: { notifyWrite: () => undefined } }
  return { database, registry: one.registry, clock: () => new Date(), feed }
}

async function seedOf(
  manifests: readonly JsonValue[],
  { id, createdTime, name }: Pick<Resource, 'id' | 'createdTime' | 'name'>,
  index: number,
): Promise<PlaneSeed> {
  const options = { field: 'objects', sample: { name: 'x-0000', index: 0 } }
  const compilation = await compileSeed(one.planes.seeding, manifests, options)
  if (compilation.status === 'invalid') throw new Error(JSON.stringify(compilation.errors))
  const member = { plane: id, createdTime, name, index, now: new Date() }
  const instance = await instantiateSeed(compilation.seed, member)
  if (instance.status === 'invalid') throw new Error(JSON.stringify(instance.errors))
  return instance.seed
}

/** Creates clusters and the content of their planes in one transaction. */
async function createMembers(
  names: readonly string[],
  manifests: readonly JsonValue[] = TEMPLATE,
  afterSeed: () => void = () => undefined,
): Promise<readonly string[]> {
  const kind = one.registry.byName('Cluster')
  const trees = names.map((name) => ({
    root: {
      tenant: '',
      kind,
      ownerId: null,
      name,
      spec: {},
      labels: {},
      annotations: {},
      refs: {},
      caller: { user: 'fleet' },
    },
    children: [],
  }))
  const result = await createMany(bulkContext(), trees, {
    atomic: true,
    seed: async (planned) => {
      const seeds = await Promise.all(
        planned.map(({ root, index }) => seedOf(manifests, root, index)),
      )
      return async (transaction) => {
        await one.planes.store.seedPlanes(transaction, seeds)
        afterSeed()
      }
    },
  })
  one.planes.store.notifyWrite()
  const outcomes = 'outcomes' in result ? result.outcomes : []
  return outcomes.map((outcome) => {
    if (outcome.status !== 'created') throw new Error(`a cluster is ${outcome.status}`)
    return outcome.root.id
  })
}

async function reset(id: string, name: string, manifests = TEMPLATE): Promise<void> {
  const cluster = await one.get(`/clusters/${id}`)
  const createdTime = new Date(cluster.body.created_time)
  const seed = await seedOf(manifests, { id, name, createdTime }, 0)
  await database.transaction((transaction) => one.planes.store.resetPlanes(transaction, [seed]))
  one.planes.store.notifyWrite()
}

async function call(server: TestServer, plane: string, path: string, init: RequestInit = {}) {
  const response = await fetch(`${server.origin}/clusters/${plane}/control-plane${path}`, {
    headers: { 'Content-Type': 'application/json' },
    ...init,
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

function create(server: TestServer, plane: string, path: string, object: JsonObject) {
  return call(server, plane, path, { method: 'POST', body: JSON.stringify(object) })
}

async function namesAt(server: TestServer, plane: string, path: string) {
  const { status, body } = await call(server, plane, path)
  const items: readonly { metadata: { name: string } }[] = body.items ?? []
  return status === 200 ? items.map(({ metadata }) => metadata.name) : status
}

describe('the content of members', () => {
  test('exists in every server with the member, custom resources included', async () => {
    const [plane = '', second = ''] = await createMembers(['content-0', 'content-1'])
    for (const server of [other, one]) {
      const { body: settings } = await call(server, second, `${MAPS}/settings`)
      expect(settings).toMatchObject({
        metadata: { managedFields: [{ manager: 'fleet', operation: 'Update' }] },
        data: { owner: 'content-1', seed: '1' },
      })
      expect(await namesAt(server, plane, WIDGET_PATH)).toEqual(['first'])
      const { body } = await call(server, plane, `${WIDGET_PATH}/first`)
      expect(body).toMatchObject({ spec: { size: 3, label: 'text' }, metadata: { generation: 1 } })
      const accounts = '/api/v1/namespaces/team/serviceaccounts'
      expect(await namesAt(server, plane, accounts)).toEqual(['default'])
      expect((await create(server, plane, WIDGET_PATH, widget('bad', { size: 11 }))).status).toBe(
        422,
      )
    }
    const created = await create(other, plane, WIDGET_PATH, widget('second', {}))
    expect(created.status).toBe(201)
    const { body: list } = await call(one, plane, MAPS)
    expect(BigInt(created.body.metadata.resourceVersion)).toBeLessThanOrEqual(
      BigInt(list.metadata.resourceVersion),
    )
  })

  test('is rolled back with the members if the transaction fails', async () => {
    const failing = createMembers(['failing-0', 'failing-1'], TEMPLATE, () => {
      throw new Error('after the seed')
    })
    await expect(failing).rejects.toThrow('after the seed')
    const { body } = await one.get(
      `/clusters?search=${encodeURIComponent("name like 'failing-%'")}`,
    )
    expect(body.total).toBe(0)
    const { rows } = await database.pool.query(
      `select 1 from objects where plane not in (select id from resources) and plane <> 'root'`,
    )
    expect(rows).toEqual([])
  })

  test('has encrypted secrets', async () => {
    const [plane = ''] = await createMembers(['encrypted-0'])
    const path = '/api/v1/namespaces/default/secrets/token'
    expect((await call(other, plane, path)).body.data).toEqual({ value: btoa('a-hidden-value') })
    for (const table of ['objects', 'object_changes', 'object_outbox']) {
      const { rows } = await database.pool.query(
        `select body::text as body from ${table} where plane = $1 and resource = 'secrets'`,
        [plane],
      )
      expect(JSON.stringify(rows)).not.toContain(btoa('a-hidden-value'))
    }
  })

  test.each(kubectlPrograms())('is what kubectl shows (%s)', async (program) => {
    const [plane = ''] = await createMembers(['kubectl-0'])
    await using kubectl = await openKubectl(
      program,
      `${other.origin}/clusters/${plane}/control-plane`,
    )
    expect(await kubectl.output('get', 'wg', '-n', 'team', '-o', 'name')).toBe(
      'widget.example.com/first\n',
    )
    expect(await kubectl.output('get', 'ns', 'team', '-o', 'name')).toBe('namespace/team\n')
    const crd = await kubectl.output('get', 'crd', 'widgets.example.com', '-o', 'yaml')
    expect(crd).toContain('Established')
    await kubectl.output('wait', '--for=condition=Established', 'crd/widgets.example.com')
    await kubectl.output('-n', 'team', 'label', 'wg', 'first', 'seen=yes')
    await reset(plane, 'kubectl-0')
    await expect
      .poll(() => kubectl.output('get', 'wg', '-n', 'team', '-l', 'seen=yes', '-o', 'name'))
      .toBe('')
  })
})

describe('a reset plane', () => {
  test('has the content of the template alone, for watches and both servers', async () => {
    const [plane = ''] = await createMembers(['reset-0'])
    await create(one, plane, MAPS, {
      ...configMap('extra', {}),
      metadata: { name: 'extra', finalizers: ['example.com/never'] },
    })
    const before = await call(one, plane, `${MAPS}/settings`)
    const { body: list } = await call(other, plane, MAPS)
    const from = list.metadata.resourceVersion
    const watch = await fetch(
      `${other.origin}/clusters/${plane}/control-plane${MAPS}?watch=true&resourceVersion=${from}`,
    )
    await reset(plane, 'reset-0')
    expect(await watch.json()).toMatchObject({
      type: 'ERROR',
      object: { code: 410, reason: 'Expired' },
    })
    expect(await namesAt(one, plane, MAPS)).toEqual(['settings'])
    expect(await namesAt(other, plane, MAPS)).toEqual(['settings'])
    const after = await call(other, plane, `${MAPS}/settings`)
    expect(after.body.metadata.uid).not.toBe(before.body.metadata.uid)
    const late = await call(other, plane, `${MAPS}/settings`, {
      method: 'PUT',
      body: JSON.stringify(before.body),
    })
    expect(late.status).toBe(409)
    const stale = await call(other, plane, `${MAPS}?watch=true&resourceVersion=${from}`)
    expect(JSON.stringify(stale.body)).toContain('"reason":"Expired"')
  })

  test('serves no kind of a definition that is not in the template', async () => {
    const [plane = ''] = await createMembers(['reset-1'], [])
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    const defined = '/apis/example.com/v1/namespaces/default/widgets'
    for (const round of [1, 2]) {
      expect((await create(one, plane, definitions, WIDGETS)).status, `round ${round}`).toBe(201)
      await expect.poll(() => namesAt(other, plane, defined)).toEqual([])
      expect((await create(other, plane, defined, widget('a', {}))).status).toBe(201)
      await reset(plane, 'reset-1', [])
      await expect.poll(() => namesAt(other, plane, defined)).toBe(404)
      await expect.poll(() => namesAt(one, plane, defined)).toBe(404)
    }
    // The name of the kind is free again for another definition.
    const spec = JSON.parse(JSON.stringify(WIDGETS['spec']))
    spec.names = { plural: 'gizmos', kind: 'Widget' }
    const gizmos = { ...WIDGETS, metadata: { name: 'gizmos.example.com' }, spec }
    expect((await create(one, plane, definitions, gizmos)).status).toBe(201)
    await expect
      .poll(() => namesAt(other, plane, '/apis/example.com/v1/namespaces/default/gizmos'))
      .toEqual([])
  })

  test('has no instance that was created with a definition of the old content', async () => {
    const [plane = ''] = await createMembers(['reset-3'])
    expect((await create(other, plane, WIDGET_PATH, widget('a', {}))).status).toBe(201)
    // The other server learns of the reset later.
    const { body } = await one.get(`/clusters/${plane}`)
    const createdTime = new Date(body.created_time)
    const seed = await seedOf([namespaceOf('team')], { id: plane, name: 'reset-3', createdTime }, 0)
    await database.transaction((transaction) => one.planes.store.resetPlanes(transaction, [seed]))
    const late = await create(other, plane, WIDGET_PATH, widget('b', {}))
    expect([404, 409]).toContain(late.status)
    one.planes.store.notifyWrite()
    const { rows } = await database.pool.query(
      `select name from objects where plane = $1 and resource = 'widgets.example.com'`,
      [plane],
    )
    expect(rows).toEqual([])
  })

  test('is not touched by the controllers that worked on its old content', async () => {
    const [plane = ''] = await createMembers(['reset-2'])
    for (let round = 0; round < 5; round += 1) {
      const { body: owner } = await create(one, plane, MAPS, configMap('owner', {}, 'team'))
      const { apiVersion, kind, metadata } = owner
      const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid }]
      await create(one, plane, MAPS, {
        ...configMap('owned', {}),
        metadata: { name: 'owned', ownerReferences },
      })
      await call(one, plane, `${MAPS}/owner`, { method: 'DELETE' })
      await call(one, plane, '/api/v1/namespaces/team', { method: 'DELETE' })
      const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.com'
      await call(one, plane, crd, { method: 'DELETE' })
      await reset(plane, 'reset-2')
      await expect.poll(() => namesAt(one, plane, WIDGET_PATH)).toEqual(['first'])
      expect(await namesAt(other, plane, MAPS)).toEqual(['settings'])
    }
    await sleep(1500)
    const { body: namespace } = await call(other, plane, '/api/v1/namespaces/team')
    expect(namespace.status).toEqual({ phase: 'Active' })
    expect(await namesAt(other, plane, MAPS)).toEqual(['settings'])
    expect(await namesAt(other, plane, WIDGET_PATH)).toEqual(['first'])
    expect(
      (await call(other, plane, '/api/v1/namespaces/team/serviceaccounts/default')).status,
    ).toBe(200)
  })
})

test('the planes of 200 removed clusters are removed', async () => {
  const names = Array.from({ length: 200 }, (_, index) => `many-${index}`)
  const ids = await createMembers(names, [configMap('a', {}), configMap('b', {})])
  const kind = one.registry.byName('Cluster')
  const outcomes = await deleteMany(
    bulkContext(),
    { kind, tenant: null, ids },
    { caller: { user: 'fleet' } },
  )
  expect(new Set([...outcomes.values()].map(({ status }) => status))).toEqual(new Set(['deleted']))
  await expect
    .poll(async () => {
      const { rows } = await database.pool.query(
        `select count(*)::integer as count from objects where plane = any($1)`,
        [ids],
      )
      return rows[0].count
    })
    .toBe(0)
})
