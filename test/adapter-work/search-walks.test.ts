import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { SearchWalks } from '../../src/adapter-work/search-walks.ts'
import type { Database } from '../../src/store/database/database.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'

/** More than the rows that one attempt examines. */
const ROWS = 25_000
const QUEUE = {
  adapter: 'dns',
  kind: 'Cluster',
  isRequired: true,
  maxAgeSeconds: null,
  tenant: null,
} as const
const CLAIM = {
  queue: QUEUE,
  filter: sql`spec ->> 'zone' = 'a'`,
  limit: 2,
  leaseSeconds: 60,
  nonce: 'nonce',
}

let copy: Awaited<ReturnType<typeof createTestDatabase>>
let database: Database
beforeAll(async () => {
  copy = await createTestDatabase()
  database = openTestDatabase(copy.url)
  await database.query(
    'insert',
    sql`insert into resources (
        id, kind, name, generation, version, spec, labels, conditions, cond, created_time,
        updated_time, created_by, updated_by)
      select 'c' || number, 'Cluster', 'c' || number, 1, number, '{}', '{}', '[]', '{}', now(),
        now(), '', ''
      from generate_series(1, ${ROWS}::integer) as number`,
  )
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await copy[Symbol.asyncDispose]()
})

/** Queues all clusters in the order of their numbers. */
beforeEach(async () => {
  await database.query('truncate', sql`truncate adapter_work`)
  await database.query(
    'insert',
    sql`insert into adapter_work (resource_id, adapter, kind, tenant, generation, position)
      select 'c' || number, 'dns', 'Cluster', '', 1, number
      from generate_series(1, ${ROWS}::integer) as number`,
  )
  await database.query('update', sql`update resources set spec = '{}' where spec <> '{}'`)
})

/** Lets the search find clusters. */
const match = (...numbers: readonly number[]) =>
  database.query(
    'update',
    sql`update resources set spec = '{"zone": "a"}'
      where id = any(${numbers.map((number) => `c${number}`)}::text[])`,
  )

/** A clock that advances by a second with each look at it. */
function startClock() {
  let time = 0
  return { now: () => (time += 1000), advance: (ms: number) => (time += ms) }
}

it('an expensive search examines a part of the queue in each attempt, and pauses without a result', async () => {
  const clock = startClock()
  const walks = new SearchWalks(database, { maxCost: 0, now: clock.now })
  const claim = async (key = 'key') => {
    const { leased, pauseMs } = await walks.claim(key, CLAIM)
    return [leased.map(({ resource_id: id }) => id), pauseMs]
  }
  await match(100, 101, 102, 22_000)
  expect(await claim()).toEqual([['c100', 'c101'], null])
  // The full claim left a match in its part.
  expect(await claim()).toEqual([['c102'], null])
  const [none, pauseMs] = await claim()
  expect([none, pauseMs]).toEqual([[], expect.any(Number)])
  expect(pauseMs).toBeGreaterThan(0)
  await match(1)
  const [, rest] = await claim()
  expect(rest).toBeLessThan(Number(pauseMs))
  clock.advance(Number(pauseMs))
  expect(await claim()).toEqual([['c22000'], null])
  // The end of the queue.
  const [, last] = await claim()
  clock.advance(Number(last))
  expect(await claim()).toEqual([['c1'], null])
  // Other searches begin at the beginning.
  await match(2)
  expect(await claim('other')).toEqual([['c2'], null])
})

it('a cheap search finds matches anywhere in the queue', async () => {
  const walks = new SearchWalks(database, {})
  await match(100, 24_000)
  const { leased, isFull, pauseMs } = await walks.claim('key', CLAIM)
  expect(leased.map(({ resource_id: id }) => id)).toEqual(['c100', 'c24000'])
  expect([isFull, pauseMs]).toEqual([true, null])
})

it('the cost of a search is that of all its matches, whatever the limit', async () => {
  await database.query('analyze', sql`analyze resources, adapter_work`)
  const clock = startClock()
  const walks = new SearchWalks(database, { maxCost: 500, now: clock.now })
  await match(24_000)
  // The planner expects to find a few of these soon.
  const expensive = await walks.claim('expensive', { ...CLAIM, limit: 1 })
  expect(expensive.leased).toEqual([])
  const filter = sql`id = 'c24000'`
  const cheap = await walks.claim('cheap', { ...CLAIM, filter })
  expect(cheap.leased).toHaveLength(1)
})
