import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { compactObjects } from '../../../src/store/objects/feed/compact-objects.ts'
import { renewEpoch } from '../../../src/store/changes/renew-epoch.ts'
import type { ObjectChange } from '../../../src/store/objects/model/object-change.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { createOf, keyOf, readOne, revisionOf, updateOf } from './object-writes.ts'
import { openStore, type OpenStore, START } from './open-store.ts'

let database: TestDatabase
let open: OpenStore
beforeEach(async () => {
  database = await createTestDatabase()
  open = await openStore(database.url)
})
afterEach(async () => {
  await open[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

async function run(statement: string): Promise<readonly Record<string, unknown>[]> {
  return (await open.database.pool.query(statement)).rows
}

async function write(plane: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await open.store.write(createOf(keyOf(`n${index}`, { plane })))
  }
  await open.feed.sequencer.catchUp()
}

async function follow(plane: string, after: bigint) {
  const changes: ObjectChange[] = []
  const onLost = vi.fn<() => void>()
  const following = await open.store.follow({ plane, resource: 'configmaps' }, after, {
    onChanges: (more) => void changes.push(...more),
    onLost,
    ready: () => Promise.resolve(),
  })
  return { changes, onLost, following }
}

const HOUR = { seconds: 3600, changesPerPlane: 1000 }

test('R18: changes older than the retention expire, and newer ones stay', async () => {
  await write('old', 3)
  await run(`update object_changes set written_time = now() - interval '2 hours'`)
  await write('old', 0)
  await open.store.write(createOf(keyOf('new', { plane: 'old' })))
  await write('other', 1)
  await run(`update object_head set compacted_time = now() - interval '1 hour'`)
  await compactObjects(open.database, HOUR)
  await expect(follow('old', START + 2n)).rejects.toMatchObject({ reason: 'expired' })
  const { changes } = await follow('old', START + 3n)
  expect(changes).toMatchObject([{ name: 'new' }])
  expect((await follow('other', START)).changes).toHaveLength(1)
  await run(`update object_head set compacted_time = now() - interval '1 hour'`)
  await compactObjects(open.database, HOUR)
  expect(await run('select count(*)::integer as count from object_changes')).toEqual([{ count: 2 }])
})

test('R18: a busy plane loses its own oldest changes, and no other plane does', async () => {
  await write('quiet', 1)
  await write('busy', 30)
  await write('quiet-too', 1)
  await compactObjects(open.database, { seconds: 3600, changesPerPlane: 10 })
  await expect(follow('busy', START + 19n)).rejects.toMatchObject({ reason: 'expired' })
  expect((await follow('busy', START + 20n)).changes).toHaveLength(10)
  expect((await follow('quiet', START)).changes).toHaveLength(1)
  expect((await follow('quiet-too', START)).changes).toHaveLength(1)
  expect(await run('select count(*)::integer as count from object_changes')).toEqual([
    { count: 12 },
  ])
  await run(`update object_changes set written_time = now() - interval '2 hours'
    where plane = 'quiet'`)
  await compactObjects(open.database, { seconds: 3600, changesPerPlane: 10 })
  await expect(follow('quiet', START)).rejects.toMatchObject({ reason: 'expired' })
  expect((await follow('busy', START + 20n)).changes).toHaveLength(10)
})

test('a new epoch raises the revisions of all planes and ends the watches', async () => {
  await write('epoch', 2)
  const { onLost } = await follow('epoch', START + 2n)
  await run(`update object_head set origin = 'another database'`)
  const before = BigInt(Math.floor(Date.now() / 1000)) << 20n
  await renewEpoch(open.database, 'objects', null)
  open.feed.log.refresh()
  await expect.poll(() => onLost.mock.calls.length).toBe(1)
  await expect(follow('epoch', START + 2n)).rejects.toMatchObject({ reason: 'expired' })
  const everything = { selector: { labels: [], fields: [] }, limit: null, after: null }
  const { revision } = await open.store.list({ ...everything, ...keyOf('', { plane: 'epoch' }) })
  expect(revision).toBeGreaterThanOrEqual(before)
  const { changes } = await follow('epoch', revision)
  const object = await readOne(open.store, keyOf('n0', { plane: 'epoch' }))
  const updated = revisionOf(await open.store.write(updateOf(object, { data: { x: 1 } })))
  expect(updated).toBe(revision + 1n)
  await expect.poll(() => changes).toMatchObject([{ revision: updated }])
  const fresh = await open.store.list({ ...everything, ...keyOf('', { plane: 'fresh' }) })
  expect(fresh.revision).toBe(revision)
})

test('a removed plane ends its watches, rejects writes, and leaves no object', async () => {
  await write('removed', 5)
  await write('kept', 1)
  const removed = await follow('removed', START + 5n)
  const kept = await follow('kept', START + 1n)
  await open.store.removePlanes(['removed', 'never-written'])
  await expect.poll(() => removed.onLost.mock.calls.length).toBe(1)
  expect(kept.onLost).not.toHaveBeenCalled()
  expect(await run(`select plane from objects`)).toEqual([{ plane: 'kept' }])
  const again = createOf(keyOf('again', { plane: 'removed' }))
  await expect(open.store.write(again)).rejects.toMatchObject({ reason: 'not-found' })
  await expect(follow('removed', START + 6n)).rejects.toMatchObject({ reason: 'expired' })
  await run(`update planes set removed_time = now() - interval '2 hours' where plane = 'removed'`)
  await compactObjects(open.database, HOUR)
  expect(await run('select plane from planes')).toEqual([{ plane: 'kept' }])
})
