import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ObjectChange } from '../../../src/store/objects/model/object-change.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { createOf, keyOf, readOne, removeOf, revisionOf, updateOf } from './object-writes.ts'
import { openStore, type OpenStore, START } from './open-store.ts'

let database: TestDatabase
let stores: readonly OpenStore[]
beforeAll(async () => {
  database = await createTestDatabase()
  stores = [await openStore(database.url), await openStore(database.url)]
})
afterAll(async () => {
  for (const store of stores) await store[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

function first(): OpenStore {
  const [store] = stores
  if (!store) throw new Error('no store')
  return store
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

test('R17: followers receive old and new changes once, in every process', async () => {
  const plane = 'follow'
  const { store } = first()
  await store.write(createOf(keyOf('a', { plane }), { labels: { app: 'x' } }))
  const a = await readOne(store, keyOf('a', { plane }))
  await store.write(updateOf(a, { labels: { app: 'y' } }))
  await store.write(createOf(keyOf('s', { plane, resource: 'secrets' })))
  const followers = await Promise.all(stores.map((open) => follow(open, plane, START)))
  const later = await Promise.all(stores.map((open) => follow(open, plane, START + 1n)))
  revisionOf(await store.write(removeOf(await readOne(store, keyOf('a', { plane })))))
  const expected = [
    { type: 'ADDED', revision: START + 1n, before: null, labels: { app: 'x' } },
    { type: 'MODIFIED', revision: START + 2n, before: { labels: { app: 'x' } } },
    { type: 'DELETED', revision: START + 4n, uid: a.uid },
  ]
  for (const { changes, following } of followers) {
    await expect.poll(() => changes).toMatchObject(expected)
    expect(following.revision).toBe(START + 4n)
  }
  for (const { changes } of later) {
    await expect.poll(() => changes).toMatchObject(expected.slice(1))
  }
  for (const { following } of [...followers, ...later]) following[Symbol.dispose]()
})

test('R18: a revision before the first one is expired, and a later one than the newest times out', async () => {
  const plane = 'bounds'
  await first().store.write(createOf(keyOf('a', { plane })))
  await expect(follow(first(), plane, START - 1n)).rejects.toMatchObject({ reason: 'expired' })
  const statements = vi.spyOn(first().database, 'execute')
  await expect(follow(first(), plane, START + 2n)).rejects.toMatchObject({ reason: 'timeout' })
  const reads = statements.mock.calls.filter(([{ name }]) => name === 'read_plane_changes')
  statements.mockRestore()
  // Before the wait and at its start; the wait itself reads nothing.
  expect(reads).toHaveLength(2)
})

test('R18: a follower of a later revision waits until the plane reaches it', async () => {
  const plane = 'future'
  const following = follow(first(), plane, START + 1n)
  await first().store.write(createOf(keyOf('a', { plane })))
  const { changes } = await following
  await first().store.write(createOf(keyOf('b', { plane })))
  await expect.poll(() => changes).toMatchObject([{ name: 'b' }])
})
