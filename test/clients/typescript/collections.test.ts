import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type StatusReport,
  ApiError,
  Client,
  Clusters,
  Conflict,
  Invalid,
  NotFound,
  PreconditionFailed,
  Views,
  WaitTimeout,
} from '../../../clients/typescript/src/index.ts'
import { newName } from '../../support/fixtures.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

let server: TestServer
let client: Client

beforeAll(async () => {
  server = await startTestServer({ env: { HYPERFLEET_CLUSTER_ADAPTERS: '["dns"]' } })
  client = new Client(`${server.origin}/`)
})
afterAll(() => server[Symbol.asyncDispose]())

test('creates, reads and changes a cluster', async () => {
  const name = newName()
  const created = await client.clusters.create({ name, labels: { tier: 'gold' } })
  expect(created).toMatchObject({ kind: 'Cluster', name, spec: {}, labels: { tier: 'gold' } })
  expect(await client.clusters.get(created.id)).toEqual(created)
  expect(await client.clusters.getByName(name)).toEqual(created)
  const patched = await client.clusters.patch(created.id, { spec: { size: 1, zone: 'a' } })
  expect(patched).toMatchObject({ generation: 2, spec: { size: 1, zone: 'a' } })
  const merged = await client.clusters.mergePatch(created.id, { spec: { zone: null } })
  expect(merged.spec).toEqual({ size: 1 })
  const replaced = await client.clusters.jsonPatch(created.id, [
    { op: 'replace', path: '/spec/size', value: 2 },
  ])
  expect(replaced.spec).toEqual({ size: 2 })
})

test('a change with a stale tag fails', async () => {
  const { id } = await client.clusters.create({ name: newName() })
  const { tag } = await client.clusters.getWithTag(id)
  await client.clusters.patch(id, { labels: { a: '1' } }, { ifMatch: tag })
  const stale = client.clusters.patch(id, { labels: { a: '2' } }, { ifMatch: tag })
  await expect(stale).rejects.toThrow(PreconditionFailed)
})

test('a dry run stores nothing', async () => {
  const name = newName()
  await client.clusters.create({ name }, { dryRun: true })
  await expect(client.clusters.getByName(name)).rejects.toThrow(NotFound)
})

test('creates node pools in their cluster and lists them by cluster', async () => {
  const cluster = await client.clusters.create({ name: newName() })
  const pool = await client.nodepools.create({
    cluster: cluster.id,
    name: 'workers',
    spec: { n: 3 },
  })
  expect(pool.owner_references.id).toBe(cluster.id)
  expect(await client.nodepools.getByName(cluster.id, 'workers')).toEqual(pool)
  expect(await client.nodepools.list({ cluster: cluster.id }).toArray()).toEqual([pool])
})

test('creates many clusters with a result for each', async () => {
  const [first, taken] = [newName(), newName()]
  await client.clusters.create({ name: taken })
  const results = await client.clusters.createMany([{ name: first }, { name: taken }])
  expect(results).toMatchObject([
    { resource: { name: first }, error: null },
    { resource: null, error: { name: 'Conflict', code: 'HYPERFLEET-CNF-001' } },
  ])
  const items = [{ name: newName() }, { name: taken }]
  await expect(client.clusters.createMany(items, { atomic: true })).rejects.toThrow(Conflict)
  await expect(client.clusters.getByName(items[0]?.name ?? '')).rejects.toThrow(NotFound)
  const { id } = await client.clusters.getByName(first)
  const pools = await client.nodepools.createMany(id, [{ name: 'one' }, { name: 'two' }])
  expect(pools.map(({ resource }) => resource?.name)).toEqual(['one', 'two'])
})

test('an upsert creates, replaces or leaves a resource', async () => {
  const name = newName()
  const outcomes: string[] = []
  for (const size of [1, 2, 2]) {
    const { outcome, resource } = await client.clusters.upsert({ name, spec: { size } })
    expect(resource.spec).toEqual({ size })
    outcomes.push(outcome)
  }
  expect(outcomes).toEqual(['created', 'replaced', 'unchanged'])
  const { id } = await client.clusters.getByName(name)
  const pool = await client.nodepools.upsert({ cluster: id, name: 'workers' })
  expect(pool).toMatchObject({ outcome: 'created', resource: { name: 'workers' } })
})

test('has a collection of each kind of the server', async () => {
  const plurals = (await client.kinds()).map(({ plural }) => plural)
  expect(plurals).toContain('views')
  for (const plural of plurals) expect(client).toHaveProperty(plural)
})

test('the collections of built-in kinds have classes', () => {
  expect(client.clusters).toBeInstanceOf(Clusters)
  expect(client.views).toBeInstanceOf(Views)
})

test('creates, reads, changes and deletes a view', async () => {
  const name = newName()
  const alert = { more_than: 10_000, for_minutes: 0 }
  const spec = { kind: 'Cluster', search: "name like 'a%'", alert }
  const created = await client.views.create({ name, spec, labels: { team: 'blue' } })
  expect(created).toMatchObject({ kind: 'View', name, spec, labels: { team: 'blue' } })
  expect((await client.views.getByName(name)).id).toBe(created.id)
  const found = client.views.search("labels.team='blue'", { fields: 'spec' })
  expect((await found.toArray()).map((view) => view.spec.search)).toEqual([spec.search])

  const changed = await client.views.mergePatch(created.id, { spec: { order: 'name asc' } })
  expect(changed.spec).toEqual({ ...spec, order: 'name asc' })
  const replaced = await client.views.upsert({ name, spec: { kind: 'NodePool' } })
  expect(replaced).toMatchObject({ outcome: 'replaced', resource: { id: created.id } })
  expect(replaced.resource.spec).toEqual({ kind: 'NodePool' })
  const [item] = await client.views.createMany([{ name, spec: { kind: 'Cluster' } }])
  expect(item?.error).toBeInstanceOf(Conflict)

  expect((await client.views.delete(created.id))?.deleted_time).toBeDefined()
  await client.views.forceDelete(created.id, 'This server evaluates no views')
  await client.views.waitForRemoval(created.id)
  await expect(client.views.getByName(name)).rejects.toThrow(NotFound)
})

test('a list reads its pages while it is iterated', async () => {
  const run = newName()
  const names = Array.from({ length: 5 }, newName)
  for (const name of names) await client.clusters.create({ name, labels: { run } })
  const list = client.clusters.search(`labels.run='${run}'`, { pageSize: 2 })
  const sizes: number[] = []
  for await (const page of list.pages()) {
    sizes.push(page.items.length)
    expect(page.total).toBe(5)
  }
  expect(sizes).toEqual([2, 2, 1])
  const read: string[] = []
  for await (const { name } of list) read.push(name)
  expect(read).toEqual(names)
  const ordered = client.clusters.list({
    search: `labels.run='${run}'`,
    orderBy: 'name desc',
    pageSize: 2,
  })
  const byName = (await ordered.toArray()).map(({ name }) => name)
  expect(byName).toEqual(names.toSorted().toReversed())
})

test('a list that loses items while it is read returns every other item', async () => {
  const run = newName()
  const created = []
  for (let index = 0; index < 4; index += 1) {
    created.push(await client.clusters.create({ name: newName(), labels: { run } }))
  }
  const read: string[] = []
  for await (const { id } of client.clusters.search(`labels.run='${run}'`, { pageSize: 2 })) {
    read.push(id)
    if (read.length === 2) await remove(read[0] ?? '')
  }
  expect(read).toEqual(created.map(({ id }) => id))
})

describe('errors', () => {
  test('list the violations of the request', async () => {
    const error = await failureOf(client.clusters.create({ name: 'A' }))
    expect(error).toBeInstanceOf(Invalid)
    expect(error).toMatchObject({ name: 'Invalid', status: 400, code: 'HYPERFLEET-VAL-000' })
    expect(error.errors.map(({ field }) => field)).toContain('name')
    expect(error.requestId).toMatch(/\S/)
  })

  test('have a class for each status', async () => {
    const name = newName()
    await client.clusters.create({ name })
    expect(await failureOf(client.clusters.create({ name }))).toBeInstanceOf(Conflict)
    expect(await failureOf(client.clusters.get('unknown'))).toBeInstanceOf(NotFound)
  })
})

describe('waits', () => {
  test('waitFor resolves when the condition is True at the current generation', async () => {
    const { id } = await client.clusters.create({ name: newName() })
    const ready = client.clusters.waitFor(id, 'Ready')
    const { discarded } = await client.statuses.report(id, reportAt(1))
    expect(discarded).toBeNull()
    expect((await ready).status.conditions[0]).toMatchObject({ status: 'True' })
  })

  test('waitFor resolves when its function returns true', async () => {
    const { id } = await client.clusters.create({ name: newName() })
    const labelled = client.clusters.waitFor(id, ({ labels }) => labels['done'] === 'yes')
    await client.clusters.patch(id, { labels: { done: 'yes' } })
    expect((await labelled).labels).toEqual({ done: 'yes' })
  })

  test('waitFor rejects when time is up and when the resource is removed', async () => {
    const { id } = await client.clusters.create({ name: newName() })
    const short = client.clusters.waitFor(id, 'Ready', { timeout: 50 })
    await expect(short).rejects.toThrow(WaitTimeout)
    const long = client.clusters.waitFor(id, 'Ready')
    const [outcome] = await Promise.allSettled([long, remove(id)])
    expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'NotFound' } })
  })

  test('waitForRemoval resolves when adapters have finalized the resource', async () => {
    const { id } = await client.clusters.create({ name: newName() })
    const removed = client.clusters.waitForRemoval(id)
    expect(await client.clusters.delete(id)).toMatchObject({ id, generation: 2 })
    await client.statuses.report(id, reportAt(2, { available: 'False', finalized: true }))
    await removed
    await client.clusters.waitForRemoval(id)
  })
})

describe('reports', () => {
  test('show why the server discarded a report', async () => {
    const { id } = await client.clusters.create({ name: newName() })
    const result = await client.statuses.report(id, reportAt(7))
    expect(result).toEqual({ status: null, discarded: 'future-generation' })
    await client.statuses.create(id, reportAt(1))
    const reports = await client.statuses.list(id)
    expect(reports.map(({ adapter }) => adapter)).toEqual(['dns'])
  })
})

function reportAt(
  observed_generation: number,
  {
    available = 'True',
    finalized = false,
  }: { available?: 'True' | 'False'; finalized?: boolean } = {},
): StatusReport {
  return {
    adapter: 'dns',
    observed_generation,
    conditions: [
      { type: 'Available', status: available },
      { type: 'Applied', status: 'True' },
      { type: 'Health', status: 'True' },
      { type: 'Finalized', status: finalized ? 'True' : 'False' },
    ],
  }
}

async function remove(id: string): Promise<void> {
  await client.clusters.delete(id)
  await client.clusters.forceDelete(id, 'test')
}

async function failureOf(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof ApiError) return error
  throw new Error(`expected an ApiError, got ${String(error)}`)
}
