import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { CodecOf } from '../../../src/store/objects/model/body-codec.ts'
import type { ObjectChange } from '../../../src/store/objects/model/object-change.ts'
import type { ObjectContent } from '../../../src/store/objects/model/object-write.ts'
import type { PlaneSeed } from '../../../src/store/objects/model/plane-seed.ts'
import { createPlaneConfigurations } from '../../../src/store/objects/configurations/plane-configurations.ts'
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

/** A codec that hides bodies. */
const codecOf: CodecOf = (resource) =>
  resource === 'secrets'
    ? {
        encode: (_key, { metadata, ...rest }) => ({
          metadata: metadata ?? {},
          hidden: Buffer.from(JSON.stringify(rest)).toString('base64'),
        }),
        decode: (_key, { metadata, hidden }) => ({
          ...JSON.parse(Buffer.from(String(hidden), 'base64').toString()),
          metadata,
        }),
      }
    : null

const COMPUTED_KEY = keyOf('computed', { resource: 'roles' })

let database: TestDatabase
let one: OpenStore
let other: OpenStore
beforeAll(async () => {
  const computed = [
    {
      ...COMPUTED_KEY,
      uid: 'c',
      revision: START,
      body: bodyOf(COMPUTED_KEY, 'c'),
      managedFields: [],
    },
  ]
  database = await createTestDatabase()
  one = await openStore(database.url, { computed, codecOf })
  other = await openStore(database.url, { computed, codecOf })
})
afterAll(async () => {
  await one[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

function contentOf(plane: string, name: string, resource = 'configmaps'): ObjectContent {
  const key = keyOf(name, { plane, resource })
  const uid = randomUUID()
  const body = bodyOf(key, uid, { labels: { name }, owners: ['owner'], data: { text: 'ü "' } })
  return { key, uid, body, managedFields: [{ manager: 'fleet' }] }
}

function seedOf(plane: string, names: readonly string[], resource?: string): PlaneSeed {
  return { plane, start: START, contents: names.map((name) => contentOf(plane, name, resource)) }
}

async function seed(seeds: readonly PlaneSeed[]): Promise<void> {
  await one.database.transaction((transaction) => one.store.seedPlanes(transaction, seeds))
  one.store.notifyWrite()
}

async function reset(seeds: readonly PlaneSeed[]): Promise<ReadonlyMap<string, bigint>> {
  const revisions = await one.database.transaction((transaction) =>
    one.store.resetPlanes(transaction, seeds),
  )
  one.store.notifyWrite()
  return revisions
}

const EVERYTHING = { selector: { labels: [], fields: [] }, limit: null, after: null }

async function namesIn(plane: string, resource = 'configmaps') {
  const page = await other.store.list({ ...EVERYTHING, plane, resource, namespace: '' })
  return { names: page.objects.map(({ name }) => name), revision: page.revision }
}

async function follow(open: OpenStore, plane: string, after: bigint) {
  const changes: ObjectChange[] = []
  const onLost = vi.fn<() => void>()
  const following = await open.store.follow({ plane, resource: 'configmaps' }, after, {
    onChanges: (more) => void changes.push(...more),
    onLost,
    ready: () => Promise.resolve(),
  })
  return { changes, onLost, following }
}

test('a seed stores objects as creates do, with one revision each', async () => {
  const seeds = [seedOf('seed-a', ['a', 'b']), seedOf('seed-b', []), seedOf('seed-c', ['c'])]
  await seed(seeds)
  expect(await namesIn('seed-a')).toEqual({ names: ['a', 'b'], revision: START + 2n })
  expect(await namesIn('seed-b')).toEqual({ names: [], revision: START })
  const stored = await readOne(other.store, keyOf('b', { plane: 'seed-a' }))
  const [, content] = seeds[0]?.contents ?? []
  expect(stored).toMatchObject({ ...content?.key, uid: content?.uid, revision: START + 2n })
  expect(stored.body).toEqual(content?.body)
  expect(stored.managedFields).toEqual([{ manager: 'fleet' }])
  const written = await other.store.write(createOf(keyOf('d', { plane: 'seed-a' })))
  expect(revisionOf(written)).toBe(START + 3n)
  const rows = await one.database.pool.query(
    `select labels, owner_uids, created_time from objects where plane = 'seed-c'`,
  )
  expect(rows.rows).toEqual([
    {
      labels: { name: 'c' },
      owner_uids: ['owner'],
      created_time: new Date('2026-01-01T00:00:00Z'),
    },
  ])
})

test('a watch from the first revision of a seeded plane receives its objects in order', async () => {
  await seed([seedOf('watched-seed', ['z', 'a', 'm'])])
  const { changes } = await follow(other, 'watched-seed', START)
  await expect.poll(() => changes).toHaveLength(3)
  expect(changes.map(({ type, name, revision }) => [type, name, revision])).toEqual([
    ['ADDED', 'z', START + 1n],
    ['ADDED', 'a', START + 2n],
    ['ADDED', 'm', START + 3n],
  ])
})

test('a seed of a transaction that fails leaves nothing', async () => {
  const failing = one.database.transaction(async (transaction) => {
    await one.store.seedPlanes(transaction, [seedOf('rolled-back', ['a'])])
    throw new Error('the transaction fails')
  })
  await expect(failing).rejects.toThrow('the transaction fails')
  expect(await namesIn('rolled-back')).toEqual({ names: [], revision: START })
})

test('a seed never replaces a plane that has been written to', async () => {
  await one.store.write(createOf(keyOf('first', { plane: 'in-use' })))
  await expect(seed([seedOf('in-use', ['second'])])).rejects.toThrow(/planes_pkey/)
  expect((await namesIn('in-use')).names).toEqual(['first'])
})

test('bodies of seeds are stored as their codec encodes them', async () => {
  await seed([seedOf('encoded', ['a'], 'secrets')])
  const rows = await one.database.pool.query(
    `select body::text from objects where plane = 'encoded'`,
  )
  expect(rows.rows[0].body).not.toContain('"data"')
  const key = keyOf('a', { plane: 'encoded', resource: 'secrets' })
  expect((await readOne(other.store, key)).body).toMatchObject({ data: { text: 'ü "' } })
  await reset([seedOf('encoded', ['b'], 'secrets')])
  const again = await one.database.pool.query(
    `select body::text from objects where plane = 'encoded'`,
  )
  expect(again.rows).toHaveLength(1)
  expect(again.rows[0].body).not.toContain('"data"')
})

test('1 000 planes with 5 objects each are seeded in few statements', async () => {
  const statements: string[] = []
  const planes = Array.from({ length: 1000 }, (_, index) => `many-${index}`)
  await one.database.transaction(async (transaction) => {
    const observed = {
      ...transaction,
      execute: <Row extends object>(
        statement: { name: string; text: string },
        values: readonly unknown[],
      ) => {
        statements.push(statement.name)
        return transaction.execute<Row>(statement, values)
      },
    }
    const seeds = planes.map((plane) => seedOf(plane, ['a', 'b', 'c', 'd', 'e']))
    await one.store.seedPlanes(observed, seeds)
  })
  expect(statements.length).toBeLessThan(30)
  expect((await namesIn('many-999')).names).toEqual(['a', 'b', 'c', 'd', 'e'])
  await one.store.removePlanes(planes)
  const left = await one.database.pool.query(`select 1 from objects where plane like 'many-%'`)
  expect(left.rowCount).toBe(0)
})

test('the removal of 1 000 planes that were never written to takes one statement', async () => {
  await using observed = await openStore(database.url)
  const names: string[] = []
  const { execute } = observed.database
  vi.spyOn(observed.database, 'execute').mockImplementation((statement, values) => {
    names.push(statement.name)
    return execute(statement, values)
  })
  await observed.store.removePlanes(Array.from({ length: 1000 }, (_, index) => `never-${index}`))
  expect(names.filter((name) => /^(mark|delete)_plane/.test(name))).toEqual(['mark_planes_removed'])
})

test('a removal that was interrupted continues', async () => {
  await seed([seedOf('interrupted', ['a', 'b'])])
  await one.database.pool.query(
    `update planes set removed_time = now() where plane = 'interrupted'`,
  )
  await one.store.removePlanes(['interrupted'])
  expect((await namesIn('interrupted')).names).toEqual([])
})

test('a reset replaces the content of a plane and raises its revision', async () => {
  await seed([seedOf('reset', ['a', 'b'])])
  const before = await readOne(one.store, keyOf('a', { plane: 'reset' }))
  const [finalized] = [createOf(keyOf('f', { plane: 'reset' }))]
  await one.store.write({
    ...finalized,
    body: { ...finalized.body, metadata: { name: 'f', finalizers: ['example.com/never'] } },
  })
  const revisions = await reset([seedOf('reset', ['a', 'c'])])
  const { names, revision } = await namesIn('reset')
  expect(names).toEqual(['a', 'c'])
  expect(revisions).toEqual(new Map([['reset', revision]]))
  const after = await readOne(one.store, keyOf('a', { plane: 'reset' }))
  expect(after.uid).not.toBe(before.uid)
  expect(after.revision).toBeGreaterThan(before.revision)
  const written = await other.store.write(createOf(keyOf('d', { plane: 'reset' })))
  expect(revisionOf(written)).toBe(revision + 1n)
})

test('a reset ends the watches of the plane in every process, and later ones work', async () => {
  await seed([seedOf('reset-watched', ['a'])])
  const watches = [
    await follow(one, 'reset-watched', START + 1n),
    await follow(other, 'reset-watched', START + 1n),
  ]
  const unrelated = await follow(other, 'unrelated', START)
  const revision = (await reset([seedOf('reset-watched', ['b'])])).get('reset-watched') ?? 0n
  await expect.poll(() => watches.map(({ onLost }) => onLost.mock.calls.length)).toEqual([1, 1])
  expect(watches.map(({ changes }) => changes)).toEqual([[], []])
  expect(unrelated.onLost).not.toHaveBeenCalled()
  await expect(follow(other, 'reset-watched', START + 1n)).rejects.toMatchObject({
    reason: 'expired',
  })
  const resumed = await follow(other, 'reset-watched', revision)
  await one.store.write(createOf(keyOf('c', { plane: 'reset-watched' })))
  await expect.poll(() => resumed.changes).toMatchObject([{ name: 'c' }])
  expect(resumed.onLost).not.toHaveBeenCalled()
})

test('a watch that starts before the log has the reset survives it', async () => {
  await using lagging = await openStore(database.url)
  await seed([seedOf('reset-lag', ['a'])])
  const revisions = await lagging.database.transaction((transaction) =>
    lagging.store.resetPlanes(transaction, [seedOf('reset-lag', ['b'])]),
  )
  const watch = await follow(other, 'reset-lag', revisions.get('reset-lag') ?? 0n)
  lagging.store.notifyWrite()
  await other.store.write(createOf(keyOf('c', { plane: 'reset-lag' })))
  await expect.poll(() => watch.changes).toMatchObject([{ name: 'c' }])
  expect(watch.onLost).not.toHaveBeenCalled()
})

test('a write that was decided on the old content gets a conflict', async () => {
  await seed([seedOf('reset-late', ['a', 'b'])])
  const a = await readOne(one.store, keyOf('a', { plane: 'reset-late' }))
  const b = await readOne(one.store, keyOf('b', { plane: 'reset-late' }))
  await reset([seedOf('reset-late', ['a'])])
  expect(await other.store.write(updateOf(a, { data: { late: 1 } }))).toEqual({
    status: 'conflict',
  })
  expect(await other.store.write(updateOf(b, { data: { late: 1 } }))).toEqual({
    status: 'conflict',
  })
  expect(await other.store.write(removeOf(a))).toEqual({ status: 'conflict' })
  expect((await namesIn('reset-late')).names).toEqual(['a'])
})

test('a write with the fence of an object applies only while the object exists', async () => {
  const plane = 'reset-fenced'
  await seed([seedOf(plane, ['owner', 'a', 'b'])])
  const { uid, ...key } = await readOne(one.store, keyOf('owner', { plane }))
  const fence = { key, uid }
  const a = await readOne(one.store, keyOf('a', { plane }))
  expect((await other.store.write({ ...removeOf(a), fence })).status).toBe('written')
  await reset([seedOf(plane, ['owner', 'a', 'b'])])
  const b = await readOne(one.store, keyOf('b', { plane }))
  expect(await other.store.write({ ...removeOf(b), fence })).toEqual({ status: 'fenced' })
  expect((await namesIn(plane)).names).toEqual(['a', 'b', 'owner'])
})

test('writes during resets land before or after one, and updates never mix contents', async () => {
  const plane = 'reset-busy'
  await seed([seedOf(plane, ['a'])])
  const stop = new AbortController()
  const statuses = new Map<string, number>()
  const writers = [one, other].map(async ({ store }) => {
    while (!stop.signal.aborted) {
      const read = await readOne(store, keyOf('a', { plane }))
      const { status } = await store.write(updateOf(read, { data: { uid: read.uid } }))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  })
  for (let round = 0; round < 20; round += 1) {
    await reset([seedOf(plane, ['a'])])
    await sleep(5)
    const { uid, body } = await readOne(other.store, keyOf('a', { plane }))
    const data: unknown = body['data']
    expect([{ text: 'ü "' }, { uid }]).toContainEqual(data)
  }
  stop.abort()
  await Promise.all(writers)
  expect(statuses.get('written')).toBeGreaterThan(0)
  const revisions = await one.database.pool.query(
    `select revision from object_changes where plane = $1 order by sequence`,
    [plane],
  )
  const ordered = revisions.rows.map(({ revision }) => BigInt(revision))
  expect(ordered).toEqual(ordered.map((_, index) => START + 1n + BigInt(index)))
})

test('computed objects appear again after a reset, as they were at first', async () => {
  const key = COMPUTED_KEY
  const { plane } = key
  const computed = await readOne(one.store, key)
  await one.store.write(updateOf(computed, { data: { changed: 1 } }))
  await reset([seedOf(plane, [])])
  expect(await readOne(other.store, key)).toEqual(computed)
  await one.store.write(removeOf(computed))
  expect(await one.store.read(key)).toBeNull()
  await reset([seedOf(plane, [])])
  expect(await readOne(other.store, key)).toEqual(computed)
})

test('a reset of a plane without a row seeds it, and a removed plane stays removed', async () => {
  await one.store.write(createOf(keyOf('a', { plane: 'gone' })))
  await one.store.removePlanes(['gone'])
  const revisions = await reset([seedOf('gone', ['b']), seedOf('fresh-reset', ['b'])])
  expect([...revisions]).toEqual([['fresh-reset', START + 2n]])
  expect((await namesIn('fresh-reset')).names).toEqual(['b'])
  expect((await namesIn('gone')).names).toEqual([])
})

test('configurations of other processes contain only the new content after a reset', async () => {
  const plane = 'reset-configuration'
  using configurations = createPlaneConfigurations({
    database: other.database,
    log: other.feed.log,
    resources: ['roles'],
    computedObjects: () => () => [],
    codecOf,
    startOf: () => START,
    maxBytes: 1_000_000,
    timeoutMs: 60_000,
  })
  const roles = async (): Promise<readonly string[]> =>
    (await configurations.of(plane)).objects('roles').map(({ name }) => name)
  await seed([seedOf(plane, ['old-a', 'old-b'], 'roles')])
  expect(await roles()).toEqual(['old-a', 'old-b'])
  const revision = (await reset([seedOf(plane, ['new'], 'roles')])).get(plane) ?? 0n
  expect(await configurations.waitFor(plane, revision, 60_000)).toBe(true)
  expect(await roles()).toEqual(['new'])
  await one.store.write(createOf(keyOf('later', { plane, resource: 'roles' })))
  await expect.poll(roles).toEqual(['later', 'new'])
})
