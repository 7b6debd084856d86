import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createMany, type WriteSeeds } from '../../../src/store/operations/bulk/create-many.ts'
import { deleteMany } from '../../../src/store/operations/bulk/delete-many.ts'
import type { BulkContext } from '../../../src/store/operations/bulk/bulk-context.ts'
import type {
  CreatedTree,
  ChildCreation,
  TreeCreation,
  TreeOutcome,
} from '../../../src/store/operations/bulk/tree-creation.ts'
import type { WriteGuard } from '../../../src/store/objects/model/write-guard.ts'
import type { Database } from '../../../src/store/database/database.ts'
import { newName, queryDatabase, report } from '../../support/fixtures.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'

const CALLER = { user: 'controller' }

let server: TestServer
let database: Database
let statements: string[]
let context: BulkContext

beforeAll(async () => {
  server = await startTestServer({
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '["dns"]' },
  })
  database = openTestDatabase(server.databaseUrl)
  context = {
    database,
    registry: server.registry,
    clock: () => new Date(),
    feed: { sequencer: { notifyWrite: () => undefined } },
  }
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const DESIRED = { spec: { size: 1 }, labels: {}, annotations: {}, refs: {} }

function cluster(name: string, children: readonly ChildCreation[] = []): TreeCreation {
  const kind = server.registry.byName('Cluster')
  return {
    root: { tenant: '', kind, ownerId: null, name, caller: CALLER, ...DESIRED },
    children,
  }
}

function pool(name: string): ChildCreation {
  return { kind: server.registry.byName('NodePool'), name, caller: CALLER, ...DESIRED }
}

function names(count: number): readonly string[] {
  const prefix = newName()
  return Array.from({ length: count }, (_, index) => `${prefix}-${index}`)
}

async function outcomesOf(
  trees: readonly TreeCreation[],
  options: Partial<Parameters<typeof createMany>[2]> = {},
): Promise<readonly TreeOutcome[]> {
  const result = await createMany(context, trees, { atomic: false, ...options })
  if ('replayed' in result) throw new Error('no key was sent')
  return result.outcomes
}

function statusesOf(outcomes: readonly TreeOutcome[]): readonly string[] {
  return outcomes.map((outcome) =>
    outcome.status === 'failed' ? outcome.error.reason : outcome.status,
  )
}

function idsOf(outcomes: readonly TreeOutcome[]): readonly string[] {
  return outcomes.flatMap((outcome) => (outcome.status === 'created' ? outcome.root.id : []))
}

async function storedNames(wanted: readonly string[]): Promise<readonly unknown[]> {
  const rows = await queryDatabase(
    server,
    'select name from resources where name = any($1) order by name',
    [wanted],
  )
  return rows.map(({ name }) => name)
}

/** Stores an object in the root plane and returns guards of its current and another generation. */
async function declaration(): Promise<{ holds: WriteGuard; fails: WriteGuard; uid: string }> {
  const name = newName()
  const uid = `uid-${name}`
  await queryDatabase(
    server,
    `insert into objects (plane, resource, namespace, name, uid, revision, body, managed_fields,
       labels, owner_uids, created_time)
     values ('root', 'fleets.kplane.dev', '', $1, $2, 1, '{"metadata": {"generation": 3}}', '[]',
       '{}', '{}', now())`,
    [name, uid],
  )
  const key = { plane: 'root', resource: 'fleets.kplane.dev', namespace: '', name }
  const guard = { type: 'object', key, uid } as const
  return { holds: { ...guard, generation: 3 }, fails: { ...guard, generation: 2 }, uid }
}

describe('a bulk creation', () => {
  it('creates roots with their children in a fixed number of statements', async () => {
    statements = []
    const observed = observing(database, statements)
    const wanted = names(50)
    const result = await createMany(
      { ...context, database: observed },
      wanted.map((name) => cluster(name, [pool('a'), pool('b')])),
      { atomic: false },
    )
    expect(result).toMatchObject({
      outcomes: wanted.map((name) => ({
        status: 'created',
        root: { name },
        children: [{ name: 'a' }, { name: 'b' }],
      })),
    })
    expect(statements).toEqual(['insert_unless_taken', 'insert_unless_taken'])
    expect(await storedNames(wanted)).toHaveLength(50)
  })

  it('reports taken names, repeated names and missing parents, and creates the others', async () => {
    const [taken = '', twice = '', free = ''] = names(3)
    await outcomesOf([cluster(taken)])
    const nodePool = { ...cluster('lost').root, kind: server.registry.byName('NodePool') }
    const outcomes = await outcomesOf([
      cluster(taken, [pool('a')]),
      cluster(twice),
      cluster(twice),
      { root: { ...nodePool, ownerId: 'none' }, children: [] },
      cluster(free, [pool('a'), pool('a')]),
      cluster(free),
    ])
    expect(statusesOf(outcomes)).toEqual([
      'already-exists',
      'created',
      'already-exists',
      'not-found',
      'already-exists',
      'already-exists',
    ])
  })

  it('writes nothing if it is atomic and one tree fails', async () => {
    const [taken = '', ...others] = names(3)
    await outcomesOf([cluster(taken)])
    const outcomes = await outcomesOf(
      [taken, ...others].map((name) => cluster(name)),
      {
        atomic: true,
      },
    )
    expect(statusesOf(outcomes)).toEqual(['already-exists', 'aborted', 'aborted'])
    expect(await storedNames(others)).toEqual([])
  })

  it('writes nothing if its seed fails', async () => {
    const wanted = names(3)
    const failure = new Error('the seed failed')
    await expect(
      outcomesOf(
        wanted.map((name) => cluster(name, [pool('a')])),
        { seed: () => Promise.reject(failure) },
      ),
    ).rejects.toBe(failure)
    expect(await storedNames(wanted)).toEqual([])
  })

  it('prepares the seeds of valid trees, and writes those of created ones in the transaction', async () => {
    const [taken = '', free = ''] = names(2)
    await outcomesOf([cluster(taken)])
    const indexes: Record<'planned' | 'created', number[]> = { planned: [], created: [] }
    const seed = async (planned: readonly CreatedTree[]): Promise<WriteSeeds> => {
      indexes.planned.push(...planned.map(({ index }) => index))
      return async (inside, created) => {
        indexes.created.push(...created.map(({ index }) => index))
        const rows = await inside.execute<{ name: string }>(
          { name: 'names_of_test', text: 'select name from resources where id = $1' },
          [created[0]?.root.id],
        )
        expect(rows).toEqual([{ name: free }])
        expect(await storedNames([free])).toEqual([])
      }
    }
    await outcomesOf([cluster(taken), cluster(free), cluster(free)], { seed })
    expect(indexes).toEqual({ planned: [0, 1], created: [1] })
  })

  it('writes nothing and fails if a guard does not hold', async () => {
    const { holds, fails } = await declaration()
    const [kept = '', refused = ''] = names(2)
    const missing: WriteGuard = {
      type: 'lease',
      namespace: 'kube-system',
      name: 'gone',
      uid: 'x',
      number: 1,
    }
    for (const guards of [[fails], [holds, fails], [missing]]) {
      await expect(outcomesOf([cluster(refused)], { guards })).rejects.toMatchObject({
        reason: 'conflict',
      })
    }
    expect(statusesOf(await outcomesOf([cluster(kept)], { guards: [holds] }))).toEqual(['created'])
    expect(await storedNames([kept, refused])).toEqual([kept])
  })

  it('delays a change of a guard until its commit', async () => {
    const { holds, uid } = await declaration()
    const [name = ''] = names(1)
    const events: string[] = []
    let change: Promise<unknown> = Promise.resolve()
    await outcomesOf([cluster(name)], {
      guards: [holds],
      seed: () =>
        Promise.resolve(async () => {
          change = queryDatabase(server, 'update objects set revision = 2 where uid = $1', [
            uid,
          ]).then(() => events.push('changed'))
          await lockedBackend()
          events.push('seeded')
        }),
    })
    await change
    expect(events).toEqual(['seeded', 'changed'])
  })

  it('creates each name once if calls with the same names overlap', async () => {
    const wanted = names(40)
    const calls = [wanted, wanted.toReversed(), wanted.slice(10), wanted.slice(0, 30)]
    const results = await Promise.all(
      calls.map((list) => outcomesOf(list.map((name) => cluster(name)))),
    )
    expect(results.flatMap(idsOf)).toHaveLength(40)
    expect(await storedNames(wanted)).toHaveLength(40)
  })
})

describe('a bulk deletion', () => {
  const deletion = (ids: readonly string[]) => ({
    kind: server.registry.byName('Cluster'),
    tenant: null,
    ids,
  })

  it('removes roots without required adapters and marks those whose children have some', async () => {
    const [bare = '', full = ''] = names(2)
    const ids = idsOf(await outcomesOf([cluster(bare), cluster(full, [pool('a')])]))
    const outcomes = await deleteMany(context, deletion([...ids, 'none']), { caller: CALLER })
    expect([...outcomes.keys()]).toEqual([...ids, 'none'])
    expect([...outcomes.values()]).toMatchObject([
      { status: 'deleted', resource: { name: bare, generation: 2, deletedBy: 'controller' } },
      { status: 'deleted', resource: { name: full, generation: 2 } },
      { status: 'failed', error: { reason: 'not-found' } },
    ])
    expect(await storedNames([bare, full])).toEqual([full])
    const again = await deleteMany(context, deletion(ids), { caller: { user: 'other' } })
    expect([...again.values()]).toMatchObject([
      { status: 'failed', error: { reason: 'not-found' } },
      { status: 'deleted', resource: { generation: 2, deletedBy: 'controller' } },
    ])
  })

  it('equals single deletions of the same trees', async () => {
    const wanted = names(2)
    const ids = idsOf(await outcomesOf(wanted.map((name) => cluster(name, [pool('a')]))))
    const [first = '', second = ''] = ids
    for (const id of ids) {
      const { body } = await server.get(`/clusters/${id}/nodepools`)
      await server.put(`/nodepools/${body.items[0].id}/statuses`, report('dns'))
    }
    await deleteMany(context, deletion([first]), { caller: CALLER })
    const { status } = await server.request('DELETE', `/clusters/${second}`)
    expect(status).toBe(202)
    const rows = await queryDatabase(
      server,
      `select kind, generation, version, json_array_length(conditions) as condition_count, cond,
         deleted_time is not null as deleted
       from resources where id = any($1) or owner_id = any($1) order by kind, id`,
      [ids],
    )
    expect(rows).toHaveLength(4)
    expect(rows[0]).toEqual(rows[1])
    expect(rows[2]).toEqual(rows[3])
  })

  it('deletes nothing if a guard does not hold', async () => {
    const { fails } = await declaration()
    const wanted = names(2)
    const ids = idsOf(await outcomesOf(wanted.map((name) => cluster(name))))
    const options = { caller: CALLER, guards: [fails] }
    await expect(deleteMany(context, deletion(ids), options)).rejects.toMatchObject({
      reason: 'conflict',
    })
    expect(await storedNames(wanted)).toHaveLength(2)
  })

  it('skips the roots that its caller does not select', async () => {
    const wanted = names(2)
    const ids = idsOf(await outcomesOf(wanted.map((name) => cluster(name))))
    const outcomes = await deleteMany(context, deletion(ids), {
      caller: CALLER,
      select: async (_database, candidates) => candidates.slice(1),
    })
    expect([...outcomes.values()].map(({ status }) => status)).toEqual(['skipped', 'deleted'])
    expect(await storedNames(wanted)).toEqual([wanted[0]])
  })

  it('deletes trees that get children and reports at the same time', async () => {
    const wanted = names(20)
    const ids = idsOf(await outcomesOf(wanted.map((name) => cluster(name, [pool('a')]))))
    const [outcomes, created] = await Promise.all([
      deleteMany(context, deletion(ids), { caller: CALLER }),
      Promise.all(
        ids.map((id) =>
          server.post(`/clusters/${id}/nodepools`, { kind: 'NodePool', name: 'late', spec: {} }),
        ),
      ),
    ])
    expect([...outcomes.values()].map(({ status }) => status)).toEqual(ids.map(() => 'deleted'))
    expect(created.every(({ status }) => [201, 404, 409].includes(status))).toBe(true)
    const live = await queryDatabase(
      server,
      'select id from resources where owner_id = any($1) and deleted_time is null',
      [ids],
    )
    expect(live).toEqual([])
  })
})

/** Resolves once a backend of the database waits for a lock. */
async function lockedBackend(): Promise<void> {
  for (;;) {
    const rows = await queryDatabase(
      server,
      `select 1 from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length > 0) return
  }
}

/** Records the names of the statements, also of those in transactions. */
function observing(inner: Database, executed: string[]): Database {
  return {
    ...inner,
    execute: (statement, values) => {
      executed.push(statement.name)
      return inner.execute(statement, values)
    },
    transaction: (work) => inner.transaction((inside) => work(observing(inside, executed))),
  }
}
