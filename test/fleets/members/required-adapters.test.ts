import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openClient } from '../../../src/store/database/connection/open-client.ts'
import { must } from '../../../src/lib/assert.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { fleetApi } from '../fleet-api.ts'
import { createFleet, type TestFleet } from './member-fixtures.ts'

let database: TestDatabase
/** A server whose clusters require the default adapters, of which none is running. */
let server: TestServer

beforeAll(async () => {
  database = await createTestDatabase()
  server = await startTestServer({ databaseUrl: database.url })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

const POOLS = { template: { spec: { size: 1 }, nodePools: [{ name: 'pool', spec: {} }] } }

async function converged(name: string, spec: object): Promise<TestFleet> {
  const fleet = await createFleet(server, name, { scaleDownPolicy: 'Delete', ...spec })
  await fleet.converge()
  return fleet
}

async function memberOf(fleet: TestFleet): Promise<string> {
  return must((await fleet.compare()).members[0]?.uid, 'a member')
}

interface Shown {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly observed_generation: number
}

/** Such as `Ready True NoAdaptersRequired 1`. */
async function conditionsOf(path: string): Promise<readonly string[]> {
  const { body } = await server.get(path)
  return body.status.conditions.map(
    ({ type, status, reason, observed_generation: generation }: Shown) =>
      `${type} ${status} ${reason} ${generation}`,
  )
}

function satisfied(generation: number): readonly string[] {
  return ['Available', 'Ready', 'Reconciled', 'LastKnownReconciled'].map(
    (type) => `${type} True NoAdaptersRequired ${generation}`,
  )
}

async function report(path: string, adapter: string, generation: number, finalized = false) {
  const conditions = ['Available', 'Applied', 'Health'].map((type) => ({ type, status: 'True' }))
  const extra = finalized ? [{ type: 'Finalized', status: 'True' }] : []
  const { status } = await server.put(`${path}/statuses`, {
    adapter,
    observed_generation: generation,
    observed_time: new Date().toISOString(),
    conditions: [...conditions, ...extra],
  })
  expect(status).toBe(201)
}

/** Requests the deletion of all members, as a scale-down with Delete does. */
async function removeMembers(fleet: TestFleet): Promise<void> {
  await fleet.patchSpec({ replicas: 0 })
  await fleet.converge()
}

it('members and their node pools are ready at creation and after each spec change', async () => {
  const fleet = await converged('ready', { replicas: 1, ...POOLS })
  const path = `/clusters/${await memberOf(fleet)}`
  const pool = (await server.get(`${path}/nodepools`)).body.items[0]
  expect((await server.get(path)).body.required_adapters).toEqual([])
  expect(await conditionsOf(path)).toEqual(satisfied(1))
  expect(await conditionsOf(`${path}/nodepools/${pool.id}`)).toEqual(satisfied(1))
  await server.patch(path, { spec: { size: 2 } })
  expect(await conditionsOf(path)).toEqual(satisfied(2))
  const search = encodeURIComponent("status.conditions.Ready='True' and name='ready-0000'")
  expect((await server.get(`/clusters?search=${search}`)).body.total).toBe(1)
  await removeMembers(fleet)
  expect((await server.get(path)).status).toBe(404)
  expect((await fleet.compare()).counts).toMatchObject({ members: 0, terminating: 0 })
})

it('the overview counts members as ready', async () => {
  const before = (await server.get('/overview')).body
  const fleet = await converged('counted', { replicas: 5 })
  const readyOf = (overview: { kinds: readonly { kind: string; ready: number }[] }) =>
    overview.kinds.find(({ kind }) => kind === 'Cluster')?.ready
  await expect
    .poll(async () => readyOf((await server.get('/overview')).body))
    .toBe((readyOf(before) ?? 0) + 5)
  await removeMembers(fleet)
})

it('node pools that clients add require no adapters either', async () => {
  const fleet = await converged('grown', { replicas: 1 })
  const path = `/clusters/${await memberOf(fleet)}`
  const pool = { kind: 'NodePool', name: 'single', spec: {} }
  const created = await server.post(`${path}/nodepools`, pool)
  expect(created.status).toBe(201)
  expect(created.body.required_adapters).toEqual([])
  const keyed = { ...pool, name: 'keyed' }
  const once = await server.request('POST', `${path}/nodepools`, keyed, {
    'Content-Type': 'application/json',
    'Idempotency-Key': 'k',
  })
  expect(once.body).toMatchObject({ name: 'keyed', required_adapters: [] })
  const bulk = { items: [{ ...pool, name: 'bulk' }] }
  expect((await server.post(`${path}/nodepools/bulk`, bulk)).status).toBe(200)
  const { body } = await server.get(`${path}/nodepools`)
  expect(body.items).toHaveLength(3)
  for (const { id } of body.items) {
    expect(await conditionsOf(`${path}/nodepools/${id}`)).toEqual(satisfied(1))
  }
  await removeMembers(fleet)
  expect((await server.get(path)).status).toBe(404)
})

it('a deleted member waits for an adapter that has reported on it, and for no other', async () => {
  const fleet = await converged('reported', { replicas: 1 })
  const path = `/clusters/${await memberOf(fleet)}`
  await report(path, 'dns', 1)
  expect(await conditionsOf(path)).toEqual([...satisfied(1), 'DnsSuccessful True undefined 1'])
  await removeMembers(fleet)
  expect((await server.get(path)).body).toMatchObject({
    generation: 2,
    deleted_by: expect.any(String),
  })
  expect(await conditionsOf(path)).toContain('Ready False ResourceNotReady 2')
  expect(await fleet.compare()).toMatchObject({ waitingFor: ['dns'], undeclared: [] })
  await report(path, 'dns', 2, true)
  expect((await server.get(path)).status).toBe(404)
})

it.each([
  { requiredAdapters: [], reporting: 'dns' },
  { requiredAdapters: ['other'], reporting: 'other' },
])('searches see the times that GET returns: $requiredAdapters', async (spec) => {
  const { requiredAdapters, reporting } = spec
  const name = `timed-${requiredAdapters.length}`
  const fleet = await converged(name, { replicas: 1, requiredAdapters })
  const path = `/clusters/${await memberOf(fleet)}`
  await report(path, reporting, 1)
  await report(path, reporting, 1)
  const { conditions } = (await server.get(path)).body.status
  for (const { type, last_updated_time: time } of conditions) {
    const field = `status.conditions.${type}.last_updated_time`
    const bounds = `${field} <= '${time}' and ${field} >= '${time}'`
    const search = encodeURIComponent(`name = '${name}-0000' and ${bounds}`)
    expect((await server.get(`/clusters?search=${search}`)).body.total, type).toBe(1)
  }
})

it('members require the adapters that the spec names', async () => {
  const fleet = await converged('named', { replicas: 1, requiredAdapters: ['dns'] })
  const path = `/clusters/${await memberOf(fleet)}`
  expect(await conditionsOf(path)).toContain('Ready False AwaitingAdapters 0')
  await report(path, 'dns', 1)
  expect(await conditionsOf(path)).toContain('Ready True ResourceReady 1')
  await removeMembers(fleet)
  expect((await fleet.compare()).waitingFor).toEqual(['dns'])
  await report(path, 'dns', 2, true)
  expect((await server.get(path)).status).toBe(404)
})

it('existing members follow a change of the spec', async () => {
  const fleet = await converged('changed', { replicas: 2, ...POOLS })
  const path = `/clusters/${await memberOf(fleet)}`
  await fleet.patchSpec({ readiness: 'Conditions' })
  const { counts } = await fleet.converge()
  expect(counts).toMatchObject({ members: 2, ready: 0 })
  expect((await server.get(path)).body).not.toHaveProperty('required_adapters')
  expect((await server.get(path)).body.status.conditions[1]).toMatchObject({
    type: 'Ready',
    status: 'False',
  })
  await fleet.patchSpec({ requiredAdapters: [] })
  expect((await fleet.converge()).counts).toMatchObject({ members: 2, ready: 2 })
  const pool = (await server.get(`${path}/nodepools`)).body.items[0]
  expect(await conditionsOf(path)).toEqual(satisfied(1))
  expect(await conditionsOf(`${path}/nodepools/${pool.id}`)).toEqual(satisfied(1))
})

it('readiness Conditions and clusters outside of fleets require the adapters of the server', async () => {
  const fleet = await converged('strict', { replicas: 1, readiness: 'Conditions' })
  const { body } = await server.post('/clusters', { kind: 'Cluster', name: 'alone', spec: {} })
  for (const id of [await memberOf(fleet), body.id]) {
    expect(await conditionsOf(`/clusters/${id}`)).toContain('Ready False AwaitingAdapters 0')
    expect((await server.get(`/clusters/${id}`)).body).not.toHaveProperty('required_adapters')
  }
})

/** Makes a Fleet look like one that an older server has created. */
async function makeOlder(name: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: database.url })
  try {
    await pool.query(
      `update objects set body = (body::jsonb #- '{metadata,annotations}')::json
      where resource = 'fleets.kplane.dev' and name = $1`,
      [name],
    )
  } finally {
    await pool.end()
  }
}

it('fleets of older servers keep the adapters of the server until the spec requires none', async () => {
  const fleet = await createFleet(server, 'older', {
    replicas: 2,
    scaleDownPolicy: 'Delete',
    ...POOLS,
  })
  await makeOlder('older')
  await fleet.patchSpec({ paused: false })
  await fleet.converge()
  const [first, second] = (await fleet.compare()).members.map(({ uid }) => `/clusters/${uid}`)
  expect(await conditionsOf(first ?? '')).toContain('Ready False AwaitingAdapters 0')
  await fleet.patchSpec({ replicas: 1 })
  await fleet.converge()
  expect((await server.get(second ?? '')).body).toHaveProperty('deleted_time')
  expect((await fleet.compare()).waitingFor).toEqual([
    'validator',
    'dns',
    'pullsecret',
    'hypershift',
  ])
  await fleet.patchSpec({ requiredAdapters: [] })
  expect((await fleet.converge()).counts).toMatchObject({ members: 1, terminating: 0 })
  expect((await server.get(second ?? '')).status).toBe(404)
  expect(await conditionsOf(first ?? '')).toEqual(satisfied(1))
})

it.each([
  { what: 'and its node pools', poolAdapters: '[]' },
  { what: 'with a node pool that it created', poolAdapters: null },
])('a member that an older server deletes, $what, is removed', async ({ poolAdapters }) => {
  const fleet = await converged(`left-${poolAdapters === null ? 'new' : 'old'}`, {
    replicas: 1,
    ...POOLS,
  })
  const id = await memberOf(fleet)
  await execute(
    `update resources set deleted_time = now(), deleted_by = 'a', generation = generation + 1,
      version = version + 1,
      required_adapters = case when id = $1 then required_adapters else $2::jsonb end
    where $1 in (id, owner_id)`,
    [id, poolAdapters],
  )
  expect((await fleet.compare()).undeclared).toEqual([id])
  expect((await fleet.converge()).counts).toMatchObject({ members: 1, terminating: 0 })
  expect((await server.get(`/clusters/${id}`)).status).toBe(404)
})

it('a PUT that omits the annotation does not bring back the adapters of the server', async () => {
  const fleet = await converged('replaced', { replicas: 1 })
  const { metadata, ...object } = (await fleet.api.get('replaced')).body
  const { annotations: _, ...rest } = metadata
  const body = { ...object, metadata: rest, spec: { ...object.spec, replicas: 2 } }
  const path = '/apis/kplane.dev/v1/fleets/replaced'
  expect((await fleet.api.call('PUT', path, body)).status).toBe(200)
  await fleet.converge()
  const search = encodeURIComponent(`name like 'replaced-%'`)
  const { items } = (await server.get(`/clusters?search=${search}`)).body
  expect(
    items.map(({ required_adapters: adapters }: { required_adapters: unknown }) => adapters),
  ).toEqual([[], []])
})

it.each([
  { adapters: ['dns', 'dns'], field: 'spec.requiredAdapters[1]' },
  { adapters: [''], field: 'spec.requiredAdapters[0]' },
])('rejects the adapters $adapters', async ({ adapters, field }) => {
  const api = fleetApi(server.origin)
  const { status, body } = await api.create('bad', { replicas: 1, requiredAdapters: adapters })
  expect(status).toBe(422)
  expect(body.details.causes).toMatchObject([{ field }])
})

async function execute(statement: string, values: readonly unknown[] = []): Promise<void> {
  await using client = await openClient(database.url)
  await client.query(statement, [...values])
}

it('a member with a child of an undeclared kind does not keep others from a change', async () => {
  const fleet = await converged('mixed', { replicas: 2, requiredAdapters: ['dns'], ...POOLS })
  const [first, second] = (await fleet.compare()).members.map(({ uid }) => must(uid, 'a member'))
  await execute(`update resources set kind = 'Unknown' where owner_id = $1`, [first])
  await fleet.patchSpec({ requiredAdapters: [] })
  const ref = await fleet.ref()
  await fleet.members.declare(ref, (await fleet.compare()).undeclared)
  expect((await fleet.compare()).undeclared).toEqual([first])
  expect((await server.get(`/clusters/${second}`)).body.required_adapters).toEqual([])
  await execute(`update resources set kind = 'NodePool' where owner_id = $1`, [first])
  await fleet.members.declare(ref, [must(first, 'a member')])
  expect((await fleet.compare()).undeclared).toEqual([])
})

it('a declaration that collides with another write is repeated', async () => {
  const fleet = await converged('collided', { replicas: 1, requiredAdapters: ['dns'] })
  const path = `/clusters/${await memberOf(fleet)}`
  await removeMembers(fleet)
  await fleet.patchSpec({ requiredAdapters: [] })
  await execute(`
    create sequence removals;
    create function collide_once() returns trigger language plpgsql as $$
    begin
      if nextval('removals') = 1 then
        perform serialization_conflict();
      end if;
      return old;
    end
    $$;
    create trigger collide_once before delete on resources
      for each row execute function collide_once()`)
  await fleet.members.declare(await fleet.ref(), (await fleet.compare()).undeclared)
  expect((await server.get(path)).status).toBe(404)
  await execute('drop function collide_once() cascade')
})
