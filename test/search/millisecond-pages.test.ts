import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedClusters } from './seed-clusters.ts'
import { timeOfMicroseconds } from '../../src/lib/precise-date.ts'
import { must } from '../../src/lib/assert.ts'
import { SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { proofSize } from '../support/proof-size.ts'
import { query } from '../shards/query.ts'
import { startShards, type TestShards } from '../shards/shard-servers.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { openWatch } from '../watch/watch-client.ts'

const MILLISECOND = Date.parse('2026-03-01T12:00:00.123Z') * 1000
/** More than two pages of a watch. */
const ROWS = 230

/** Times that share a millisecond; some are equal. */
const times = fc.array(fc.nat(999), { minLength: ROWS, maxLength: ROWS })
const orders = fc.constantFrom('asc', 'desc')

interface Item {
  readonly id: string
  readonly created_time: string
}

/** The ids in the order of a list by creation. */
function sorted(items: readonly Item[], order: string): readonly string[] {
  const key = ({ created_time, id }: Item) => `${created_time} ${id}`
  const ascending = items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
  return (order === 'asc' ? ascending : ascending.toReversed()).map(({ id }) => id)
}

async function pages(
  get: (path: string) => Promise<{ readonly status: number; readonly body: unknown }>,
  path: string,
  pageSize: number,
): Promise<readonly string[]> {
  const found: string[] = []
  for (let page = 1; ; page += 1) {
    const { status, body } = await get(`${path}&pageSize=${pageSize}&page=${page}`)
    expect(status).toBe(200)
    const { items } = body as { readonly items: readonly Item[] }
    if (items.length === 0) return found
    found.push(...items.map(({ id }) => id))
  }
}

describe('resources of one millisecond', () => {
  let server: TestServer
  let pool: pg.Pool
  beforeAll(async () => {
    server = await startTestServer()
    pool = new pg.Pool({ connectionString: server.databaseUrl, max: 1 })
    const client = await pool.connect()
    await seedClusters(client, ROWS)
    client.release()
  })
  afterAll(async () => {
    await pool.end()
    await server[Symbol.asyncDispose]()
  })

  async function place(microseconds: readonly number[]): Promise<readonly Item[]> {
    const { rows } = await pool.query<{ id: string; at: number }>(
      `with placed as (
         select id, (array[${microseconds.join(',')}])[row_number() over (order by id)] as at
         from resources)
       update resources set version = version + 1,
         created_time = timestamptz '2026-03-01 12:00:00.123Z'
         + placed.at * interval '1 microsecond'
       from placed where placed.id = resources.id returning resources.id, placed.at`,
    )
    return rows.map(({ id, at }) => {
      return { id, created_time: timeOfMicroseconds(MILLISECOND + at).toISOString() }
    })
  }

  test('are in every list, search and watch once and in order', async () => {
    await fc.assert(
      fc.asyncProperty(times, orders, fc.nat(999), async (microseconds, order, bound) => {
        const items = await place(microseconds)
        const path = `/clusters?orderBy=created_time&order=${order}`
        expect(await pages(server.get, path, 37)).toEqual(sorted(items, order))

        const time = timeOfMicroseconds(MILLISECOND + bound).toISOString()
        const search = `&search=${encodeURIComponent(`created_time >= '${time}'`)}`
        const later = items.filter(({ created_time }) => created_time >= time)
        expect(await pages(server.get, path + search, 37)).toEqual(sorted(later, order))

        using watch = await openWatch(server, '/clusters?watch=true')
        await watch.until(({ type }) => type === 'BOOKMARK')
        const sent = watch.changes().map(({ object }) => object.id)
        expect(sent).toEqual(sorted(items, 'asc'))
      }),
      { numRuns: proofSize(20) },
    )
  })
})

describe('resources of one millisecond in two shards', () => {
  let installation: TestShards
  const ids: string[] = []
  beforeAll(async () => {
    installation = await startShards(['a', 'b'])
    const { server } = must(installation.shards[0], 'a shard')
    for (let index = 0; index < 12; index += 1) {
      const { body } = await server.request(
        'POST',
        '/clusters',
        creation('Cluster', { name: `c-${index}` }),
        { 'Content-Type': 'application/json', ...tenantHeaders(`org${index % 6}`) },
      )
      ids.push(body.id)
    }
  })
  afterAll(() => installation[Symbol.asyncDispose]())

  test('are merged in the order of their microseconds', async () => {
    const { server } = must(installation.shards[0], 'a shard')
    const get = (path: string) => server.request('GET', path, undefined, SYSTEM_HEADERS)
    const placed = fc.array(fc.nat(999), { minLength: 12, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(placed, orders, async (microseconds, order) => {
        for (const { databaseUrl } of installation.shards) {
          await query(
            databaseUrl,
            `update resources set version = version + 1,
               created_time = timestamptz '2026-03-01 12:00:00.123Z'
               + ($1::integer[])[array_position($2::text[], id)] * interval '1 microsecond'`,
            [microseconds, ids],
          )
        }
        const items = ids.map((id, index) => {
          const at = MILLISECOND + must(microseconds[index], 'a time')
          return { id, created_time: timeOfMicroseconds(at).toISOString() }
        })
        const path = `/clusters?orderBy=created_time&order=${order}`
        expect(await pages(get, path, 5)).toEqual(sorted(items, order))
      }),
      { numRuns: proofSize(30) },
    )
  })
})
