import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { must } from '../../../src/lib/assert.ts'
import { createTestDatabase, serverNames, type TestDatabase } from '../../support/test-database.ts'
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

const EVERYTHING = { selector: { labels: [], fields: [] }, limit: null, after: null }

describe.each(serverNames())('the objects of planes on %s', (server) => {
  let database: TestDatabase
  let open: OpenStore
  beforeAll(async () => {
    database = await createTestDatabase(server)
    open = await openStore(database.url)
  })
  afterAll(async () => {
    await open[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  test('are read as they were written', async () => {
    const key = keyOf('a', { plane: 'round-trip' })
    const write = createOf(key, { data: { text: 'é\u2028', number: 1.5 }, labels: { app: 'x' } })
    const revision = revisionOf(await open.store.write(write))
    expect(revision).toBe(START + 1n)
    const { uid, body, managedFields } = write
    expect(await open.store.read(key)).toEqual({ ...key, uid, revision, body, managedFields })
    expect(await open.store.read({ ...key, name: 'b' })).toBeNull()
    expect(await open.store.read({ ...key, plane: 'other' })).toBeNull()
    expect(await open.store.read({ ...key, name: '\0' })).toBeNull()
  })

  test('have revisions that concurrent readers read in one statement', async () => {
    const keys = ['a', 'b'].map((name) => keyOf(name, { plane: 'revisions' }))
    const revisions: (bigint | null)[] = []
    for (const key of keys) revisions.push(revisionOf(await open.store.write(createOf(key))))
    const [a, b] = keys
    const removed = await readOne(open.store, must(b, 'a key'))
    const remove = { ...removeOf(removed), leaveTombstone: true }
    await open.store.write(remove)
    const statements: string[] = []
    await using observed = await openStore(database.url, {
      onStatement: (name) => void statements.push(name),
    })
    statements.length = 0
    const wanted = [a, b, a, keyOf('c', { plane: 'revisions' }), keyOf('\0')]
    const found = await Promise.all(
      wanted.map((key) => observed.store.revisionOf(must(key, 'a key'))),
    )
    expect(found).toEqual([revisions[0], null, revisions[0], null, null])
    expect(statements.filter((name) => name.startsWith('read_object_rev'))).toEqual([
      'read_object_revisions',
    ])
  })

  test('have the first revision of their plane before the first write', async () => {
    const page = await open.store.list({ ...EVERYTHING, ...keyOf('', { plane: 'new' }) })
    expect(page).toEqual({ objects: [], revision: START, remaining: 0, hasMore: false })
  })

  test('are written alone although another process creates their plane meanwhile', async () => {
    const plane = 'created-twice'
    const other = new pg.Client({ connectionString: database.url })
    await other.connect()
    onTestFinished(() => other.end())
    await other.query('begin')
    const row = 'insert into planes (plane, revision, compacted) values ($1, $2, $2)'
    await other.query(row, [plane, START])
    // Text that looks like an escape of U+0000, so that the write has a separate statement.
    const data = { text: String.raw`\u0000` }
    const written = open.store.write(createOf(keyOf('a', { plane }), { data }))
    const blocked =
      'select 1 from pg_stat_activity where pg_backend_pid() = any (pg_blocking_pids(pid))'
    await expect
      .poll(async () => {
        // In the open transaction, the list of sessions would lack those that begin later.
        await other.query('select pg_stat_clear_snapshot()')
        return (await other.query(blocked)).rowCount
      })
      .toBe(1)
    await other.query('commit')
    expect(await written).toEqual({ status: 'written', revision: START + 1n })
  })

  test('R7: are updated and removed only at the revision and uid that were read', async () => {
    const key = keyOf('a', { plane: 'optimistic' })
    await open.store.write(createOf(key))
    expect(await open.store.write(createOf(key))).toEqual({ status: 'exists' })
    const first = await readOne(open.store, key)
    const updated = revisionOf(await open.store.write(updateOf(first, { data: { a: '1' } })))
    expect(updated).toBe(first.revision + 1n)
    const conflict = { status: 'conflict' }
    expect(await open.store.write(updateOf(first, {}))).toEqual(conflict)
    expect(await open.store.write(removeOf(first))).toEqual(conflict)
    const second = await readOne(open.store, key)
    expect(await open.store.write(removeOf({ ...second, uid: 'other' }))).toEqual(conflict)
    revisionOf(await open.store.write(removeOf(second)))
    expect(await open.store.read(key)).toBeNull()
    expect(await open.store.write(updateOf(second, {}))).toEqual(conflict)
    expect((await open.store.list({ ...EVERYTHING, ...key })).revision).toBe(updated + 1n)
  })

  test('R29: need a namespace that exists and is not being deleted', async () => {
    const plane = 'namespaces'
    const space = { plane, resource: 'namespaces', namespace: '', name: 'team' }
    const create = { ...createOf(keyOf('a', { plane, namespace: 'team' })), requireNamespace: true }
    expect(await open.store.write(create)).toEqual({ status: 'namespace-missing' })
    const account = keyOf('default', { plane, resource: 'serviceaccounts', namespace: 'team' })
    await open.store.write({ ...createOf(space), companions: [createOf(account)] })
    expect(await open.store.read(account)).toMatchObject({ revision: START + 2n })
    revisionOf(await open.store.write(create))
    const stored = await readOne(open.store, space)
    await open.store.write(updateOf(stored, { deletionTimestamp: '2026-01-01T00:00:00Z' }))
    const another = {
      ...createOf(keyOf('b', { plane, namespace: 'team' })),
      requireNamespace: true,
    }
    expect(await open.store.write(another)).toEqual({ status: 'namespace-terminating' })
  })

  test('are written together with their own revisions, and a bad one fails alone', async () => {
    const plane = 'together'
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) => {
        const bad = index === 17 ? { data: { text: '\0' } } : {}
        return open.store.write(createOf(keyOf(`n${index}`, { plane }), bad))
      }),
    )
    const revisions = outcomes.flatMap((outcome) =>
      outcome.status === 'fulfilled' ? [revisionOf(outcome.value)] : [],
    )
    expect(new Set(revisions).size).toBe(199)
    expect(outcomes[17]).toMatchObject({ reason: { reason: 'unprocessable' } })
    expect((await open.store.list({ ...EVERYTHING, ...keyOf('', { plane }) })).revision).toBe(
      START + 199n,
    )
  })

  test('are written with a fence only while its lease has the same term', async () => {
    const lease = {
      plane: 'root',
      resource: 'leases.coordination.k8s.io',
      namespace: 'kube-system',
      name: 'leader',
    }
    const term = { ...createOf(lease), body: { spec: { leaseTransitions: 3 } } }
    await open.store.write(term)
    const { namespace, name } = lease
    const fence = { namespace, name, uid: term.uid, number: 3 }
    const write = (fenced: object, index: number) =>
      open.store.write({
        ...createOf(keyOf(`n${index}`, { plane: 'fenced' })),
        fence: { ...fence, ...fenced },
      })
    const others = [{ number: 2 }, { uid: 'another' }, { name: 'none' }, {}]
    const outcomes = await Promise.all(others.map(write))
    expect(outcomes.map(({ status }) => status)).toEqual(['fenced', 'fenced', 'fenced', 'written'])
  })

  test('R31: stay within a limit that concurrent creates share, and within each namespace', async () => {
    const create = (name: string, namespace: string) =>
      open.store.write({
        ...createOf(keyOf(name, { plane: 'limited', namespace })),
        maxObjects: 5,
      })
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
    const outcomes = await Promise.all([
      ...names.map((name) => create(name, 'one')),
      ...names.map((name) => create(name, 'two')),
      create('n0', 'one'),
    ])
    const written = outcomes.filter(({ status }) => status === 'written')
    expect(written.length).toBe(10)
    expect(outcomes.at(-1)?.status).toBe('exists')
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(
      new Set(['written', 'limit-exceeded', 'exists']),
    )
  })

  test('of several planes share a statement, and a locked plane delays no other', async () => {
    const planes = Array.from({ length: 20 }, (_, index) => `shared-${index}`)
    const writeAll = (name: string) =>
      planes.map((plane) => open.store.write(createOf(keyOf(name, { plane }))))
    const first = await Promise.all(writeAll('a'))
    expect(first.map(revisionOf)).toEqual(planes.map(() => START + 1n))
    const session = await open.database.pool.connect()
    await session.query('begin')
    await session.query(`select from planes where plane = 'shared-3' for update`)
    const settled = new Set<string>()
    const second = writeAll('b').map(async (outcome, index) => {
      expect(revisionOf(await outcome)).toBe(START + 2n)
      settled.add(planes[index] ?? '')
    })
    await expect.poll(() => settled.size).toBe(19)
    expect(settled.has('shared-3')).toBe(false)
    await session.query('commit')
    session.release()
    await Promise.all(second)
  })

  test('of another plane are written while the only plane of a statement is locked', async () => {
    const plane = 'held'
    revisionOf(await open.store.write(createOf(keyOf('a', { plane }))))
    const session = await open.database.pool.connect()
    await session.query('begin')
    await session.query('select from planes where plane = $1 for update', [plane])
    const held = open.store.write(createOf(keyOf('b', { plane })))
    const waiting = `select from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
    await expect.poll(async () => (await open.database.pool.query(waiting)).rowCount).toBe(1)
    revisionOf(await open.store.write(createOf(keyOf('a', { plane: 'free' }))))
    await session.query('commit')
    session.release()
    revisionOf(await held)
  })

  test('are written one after another under the same key', async () => {
    const key = keyOf('same', { plane: 'same-key' })
    const outcomes = await Promise.all([1, 2, 3].map(() => open.store.write(createOf(key))))
    expect(outcomes.map(({ status }) => status)).toEqual(['written', 'exists', 'exists'])
  })
})

describe('computed objects', () => {
  const computed = ['a', 'c', 'e'].map((name) => {
    const key = keyOf(name)
    const uid = `uid-${name}`
    return {
      ...key,
      uid,
      revision: START,
      body: bodyOf(key, uid),
      managedFields: [],
      isComputed: true,
    } as const
  })
  let database: TestDatabase
  let open: OpenStore
  beforeAll(async () => {
    database = await createTestDatabase()
    open = await openStore(database.url, { computed })
  })
  afterAll(async () => {
    await open[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  })

  async function names(limit: number | null = null): Promise<readonly string[]> {
    const found: string[] = []
    let after: { namespace: string; name: string } | null = null
    for (;;) {
      const query = { ...EVERYTHING, ...keyOf(''), limit, after }
      const { objects, hasMore } = await open.store.list(query)
      found.push(...objects.map(({ name }) => name))
      after = objects.at(-1) ?? null
      if (!hasMore) return found
    }
  }

  test('are listed with stored ones, until a tombstone hides them', async () => {
    await open.store.write(createOf(keyOf('b')))
    await open.store.write(createOf(keyOf('f')))
    expect(await names()).toEqual(['a', 'b', 'c', 'e', 'f'])
    for (const limit of [1, 2, 3]) expect(await names(limit)).toEqual(['a', 'b', 'c', 'e', 'f'])
    expect(await open.store.write(createOf(keyOf('c')))).toEqual({ status: 'exists' })
    const read = await readOne(open.store, keyOf('c'))
    expect(read.uid).toBe('uid-c')
    revisionOf(await open.store.write(removeOf(read)))
    expect(await open.store.read(keyOf('c'))).toBeNull()
    expect(await names(2)).toEqual(['a', 'b', 'e', 'f'])
    revisionOf(await open.store.write(createOf(keyOf('c'))))
    const again = await readOne(open.store, keyOf('c'))
    expect(again.uid).not.toBe('uid-c')
    revisionOf(await open.store.write(removeOf(again)))
    expect(await open.store.read(keyOf('c'))).toBeNull()
  })

  test('are stored by their first update', async () => {
    const read = await readOne(open.store, keyOf('a'))
    revisionOf(await open.store.write(updateOf(read, { data: { x: 1 } })))
    expect(await readOne(open.store, keyOf('a'))).toMatchObject({
      uid: 'uid-a',
      body: { data: { x: 1 } },
    })
    expect(await open.store.write(updateOf(read, {}))).toEqual({
      status: 'conflict',
    })
  })
})
