import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CachedConfigurations,
  createPlaneConfigurations,
} from '../../../src/store/objects/configurations/plane-configurations.ts'
import type { Database } from '../../../src/store/database/database.ts'
import type { PlaneConfiguration } from '../../../src/store/objects/model/plane-configuration.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import {
  bodyOf,
  createOf,
  keyOf,
  readOne,
  removeOf,
  revisionOf,
  updateOf,
} from './object-writes.ts'
import { openStore, type OpenStore, START } from './open-store.ts'

const computedKey = keyOf('computed', { resource: 'roles' })
const COMPUTED = {
  ...computedKey,
  uid: 'uid-computed',
  revision: START,
  body: bodyOf(computedKey, 'uid-computed'),
  managedFields: [],
}

const ROLES = [COMPUTED]

let database: TestDatabase
let writer: OpenStore
let reader: OpenStore
beforeAll(async () => {
  database = await createTestDatabase()
  writer = await openStore(database.url)
  reader = await openStore(database.url)
})
afterAll(async () => {
  await writer[Symbol.asyncDispose]()
  await reader[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

function openConfigurations(
  maxBytes = 1_000_000,
  through: Database = reader.database,
): CachedConfigurations {
  return createPlaneConfigurations({
    database: through,
    log: reader.feed.log,
    resources: ['roles', 'definitions'],
    computedObjects: () => (resource) => (resource === 'roles' ? ROLES : []),
    codecOf: () => null,
    startOf: () => START,
    maxBytes,
    timeoutMs: 60_000,
  })
}

const names = (configuration: PlaneConfiguration, resource: string): readonly string[] =>
  configuration.objects(resource).map(({ name }) => name)

test('R36: a configuration follows the writes of another process', async () => {
  using configurations = openConfigurations()
  const plane = 'follows'
  const key = keyOf('a', { plane, resource: 'definitions', namespace: '' })
  const before = await configurations.of(plane)
  expect(names(before, 'definitions')).toEqual([])
  expect(names(before, 'roles')).toEqual(['computed'])
  expect(names(before, 'others')).toEqual([])
  const revision = revisionOf(await writer.store.write(createOf(key)))
  expect(await configurations.waitFor(plane, revision, 60_000)).toBe(true)
  const after = await configurations.of(plane)
  expect(after.revision).toBe(revision)
  expect(names(after, 'definitions')).toEqual(['a'])
  expect(names(before, 'definitions')).toEqual([])
  const object = await readOne(writer.store, key)
  expect(after.objects('definitions')).toEqual([object])
  const removed = revisionOf(await writer.store.write(removeOf(object)))
  await configurations.waitFor(plane, removed, 60_000)
  expect(names(await configurations.of(plane), 'definitions')).toEqual([])
})

test('a derived value is computed again when one of its resources changes', async () => {
  using configurations = openConfigurations()
  const plane = 'derives'
  const key = Symbol('count of roles')
  let runs = 0
  const count = async (): Promise<number> =>
    (await configurations.of(plane)).derive(key, ['roles'], (configuration) => {
      runs += 1
      return configuration.objects('roles').length
    })
  expect([await count(), await count(), runs]).toEqual([1, 1, 1])
  const other = keyOf('a', { plane, resource: 'definitions' })
  const unrelated = revisionOf(await writer.store.write(createOf(other)))
  await configurations.waitFor(plane, unrelated, 60_000)
  expect([await count(), runs]).toEqual([1, 1])
  const role = keyOf('a', { plane, resource: 'roles' })
  const related = revisionOf(await writer.store.write(createOf(role)))
  await configurations.waitFor(plane, related, 60_000)
  expect([await count(), runs]).toEqual([2, 2])
})

test('a stored or removed object replaces the computed one, also after a reload', async () => {
  const plane = 'replaces'
  const stored = { ...COMPUTED, plane, isComputed: true } as const
  using configurations = openConfigurations()
  await configurations.of(plane)
  const update = updateOf(stored, { data: { x: 1 } })
  const updated = revisionOf(await writer.store.write(update))
  await configurations.waitFor(plane, updated, 60_000)
  using reloaded = openConfigurations()
  for (const each of [configurations, reloaded]) {
    expect((await each.of(plane)).objects('roles')).toMatchObject([
      { uid: 'uid-computed', body: { data: { x: 1 } } },
    ])
  }
  const read = await readOne(writer.store, { ...computedKey, plane })
  const remove = { ...removeOf(read), leaveTombstone: true }
  const removed = revisionOf(await writer.store.write(remove))
  await configurations.waitFor(plane, removed, 60_000)
  using last = openConfigurations()
  for (const each of [configurations, last]) {
    expect(names(await each.of(plane), 'roles')).toEqual([])
  }
})

test('configurations of many planes are bounded, and concurrent first uses share one read', async () => {
  using configurations = openConfigurations(10_000)
  const planes = Array.from({ length: 50 }, (_, index) => `bounded-${index}`)
  const [first, second] = await Promise.all([1, 2].map(() => configurations.of('shared')))
  expect(first).toBe(second)
  for (const plane of planes) await configurations.of(plane)
  expect(await configurations.of('shared')).not.toBe(first)
  const last = await configurations.of('bounded-49')
  expect(await configurations.of('bounded-49')).toBe(last)
})

test('planes that are first used at the same time share one statement', async () => {
  const { store } = writer
  const role = (plane: string, name: string) => keyOf(name, { plane, resource: 'roles' })
  const created = revisionOf(await store.write(createOf(role('together-a', 'b'))))
  await store.write(createOf(role('together-a', 'a')))
  const removed = await readOne(store, role('together-a', 'a'))
  const remove = { ...removeOf(removed), leaveTombstone: true }
  const last = revisionOf(await store.write(remove))
  const other = revisionOf(await store.write(createOf(role('together-b', 'c'))))
  const statements: string[] = []
  await using observed = openTestDatabase(database.url, (name) => void statements.push(name))
  using configurations = openConfigurations(1_000_000, observed)
  const loaded = await Promise.all(
    ['together-b', 'together-none', 'together-a'].map((plane) => configurations.of(plane)),
  )
  expect(statements).toEqual(['load_configurations'])
  expect(loaded.map(({ revision }) => revision)).toEqual([other, START, last])
  expect(loaded.map((configuration) => names(configuration, 'roles'))).toEqual([
    ['c', 'computed'],
    ['computed'],
    ['b', 'computed'],
  ])
  expect(loaded[2]?.objects('roles')[0]?.revision).toBe(created)
  statements.length = 0
  using alone = openConfigurations(1_000_000, observed)
  expect(names(await alone.of('together-a'), 'roles')).toEqual(['b', 'computed'])
  expect(statements).toEqual(['load_configuration'])
})

test('a plane whose configuration cannot be read fails no other', async () => {
  using configurations = openConfigurations()
  // PostgreSQL rejects the name.
  const outcomes = await Promise.allSettled(
    ['healthy-a', 'faulty\u0000', 'healthy-b'].map((plane) => configurations.of(plane)),
  )
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('fleet reads return the stored objects of all planes that meet the conditions', async () => {
  const { store } = writer
  const owner = createOf(keyOf('owner', { plane: 'fleet-a', resource: 'widgets' }))
  await store.write(owner)
  for (const plane of ['fleet-a', 'fleet-b']) {
    const key = keyOf('owned', { plane, resource: 'gadgets' })
    await store.write(createOf(key, { owners: [owner.uid, 'another'] }))
    const deleted = keyOf('terminating', { plane, resource: 'gadgets' })
    await store.write(createOf(deleted, { deletionTimestamp: '2026-01-01T00:00:00Z' }))
  }
  const first = { after: null, limit: 100 }
  const found = async (query: object): Promise<readonly string[]> =>
    (await store.fleet.read({ ...first, ...query })).map(({ plane, name }) => `${plane}/${name}`)
  const owned = ['fleet-a/owned', 'fleet-b/owned']
  expect(await found({ ownerUid: owner.uid })).toEqual(owned)
  expect(await found({ ownerUid: owner.uid, plane: 'fleet-b' })).toEqual(['fleet-b/owned'])
  expect(await found({ ownerUid: 'none' })).toEqual([])
  expect(await found({ isOwned: true })).toEqual(owned)
  const terminating = ['fleet-a/terminating', 'fleet-b/terminating']
  expect(await found({ isTerminating: true, resource: 'gadgets' })).toEqual(terminating)
  const [one] = await store.fleet.read({ ...first, isTerminating: true, limit: 1 })
  expect(await found({ isTerminating: true, after: one })).toEqual(['fleet-b/terminating'])
  expect(
    await found({ resource: 'gadgets', createdBefore: new Date('2026-01-01T00:00:00Z') }),
  ).toEqual([])
  expect(await found({ resource: 'widgets', createdBefore: new Date() })).toEqual(['fleet-a/owner'])
  expect(await store.fleet.readPlanes('fleet-a', 1)).toEqual(['fleet-b'])
})
