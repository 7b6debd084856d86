import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { must } from '../../src/lib/assert.ts'
import { queryDatabase } from '../support/fixtures.ts'
import { searchText } from '../search/search-arbitraries.ts'
import { type SearchableRow, searchableRow, statusesOf } from '../search/search-rows.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { openWatch, stateOf } from './watch-client.ts'
import { proofSize } from '../support/proof-size.ts'

const ROWS = 40
const WRITES = 200
const SEARCHES = proofSize(60)
const KIND = must(kinds[0], 'a kind').kind
/** Fields of the sample rows in the form that the OpenAPI document requires. */
const SHOWN = 'fields=id,generation,labels,spec&pageSize=1000'

/** A row with a unique name that a list can return. */
function sampleRow(index: number): SearchableRow {
  const [row] = fc.sample(searchableRow(`id-${String(index).padStart(3, '0')}`), 1)
  const { name, ...rest } = must(row, 'a row')
  return { ...rest, name: index === 0 ? name : `${name}-${index}-`, generation: 1 }
}

interface Write {
  readonly at: number
  readonly what: 'insert' | 'spec' | 'labels' | 'conditions' | 'deletion' | 'delete'
}

const write: fc.Arbitrary<Write> = fc.record({
  at: fc.nat({ max: ROWS - 1 }),
  what: fc.constantFrom('insert', 'spec', 'labels', 'conditions', 'deletion', 'delete'),
})

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** Versions continue when a row is created again, although ids are never reused in production. */
let versions = 0

async function insert(row: SearchableRow): Promise<void> {
  await queryDatabase(
    server,
    `insert into resources (id, kind, name, owner_id, generation, version, spec, labels, conditions,
       cond, created_time, updated_time, deleted_time, created_by, updated_by)
     values ($1, $2, $3, '', 1, $13, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      row.id,
      KIND,
      row.name,
      JSON.stringify(row.spec),
      JSON.stringify(row.labels),
      JSON.stringify(row.conditions),
      JSON.stringify(statusesOf(row)),
      row.created_time,
      row.updated_time,
      row.deleted_time,
      row.created_by,
      row.updated_by,
      (versions += WRITES),
    ],
  )
}

const CHANGE: Record<'spec' | 'labels' | 'conditions' | 'deletion', string> = {
  spec: `spec = $2, generation = generation + 1`,
  labels: `labels = $2`,
  conditions: `conditions = $2, cond = $3`,
  deletion: `deleted_time = $2::timestamptz`,
}

async function apply({ at, what }: Write, exists: Set<number>): Promise<void> {
  const row = sampleRow(at)
  if (what === 'insert' || !exists.has(at)) {
    if (!exists.has(at)) await insert(row)
    exists.add(at)
    return
  }
  if (what === 'delete') {
    await queryDatabase(server, `delete from resources where id = $1`, [row.id])
    exists.delete(at)
    return
  }
  const values = {
    spec: [JSON.stringify(row.spec)],
    labels: [JSON.stringify(row.labels)],
    conditions: [JSON.stringify(row.conditions), JSON.stringify(statusesOf(row))],
    deletion: [row.deleted_time],
  }
  await queryDatabase(
    server,
    `update resources set ${CHANGE[what]}, version = version + 1 where id = $1`,
    [row.id, ...values[what]],
  )
}

test('the events of a watch result in the list with the same search', async () => {
  const exists = new Set<number>()
  for (let index = 0; index < ROWS; index += 1) {
    await apply({ at: index, what: 'insert' }, exists)
  }
  // One sample of random searches in 300 finds almost nothing. The first search finds every row.
  const searches = ['generation >= 1', ...fc.sample(searchText(), SEARCHES)]
  const queries = searches.map((search) => `search=${encodeURIComponent(search)}`)
  const watches = await Promise.all(
    queries.map((query) => openWatch(server, `/clusters?watch=true&${query}`)),
  )
  const listed = await Promise.all(
    queries.map((query) => server.get(`/clusters?${query}&${SHOWN}`)),
  )
  for (const each of fc.sample(write, WRITES)) await apply(each, exists)
  const found = await Promise.all(queries.map((query) => server.get(`/clusters?${query}&${SHOWN}`)))
  const resumed = await Promise.all(
    queries.map((query, index) => {
      const token = must(listed[index], 'a list').body.resource_version
      return openWatch(server, `/clusters?watch=true&${query}&resourceVersion=${token}`)
    }),
  )
  const seen = { entered: 0, left: 0, found: 0 }
  for (const [index, search] of searches.entries()) {
    const expected = new Map(
      must(found[index], 'a list').body.items.map((item: { id: string }) => [item.id, item]),
    )
    const watch = must(watches[index], 'a watch')
    const again = must(resumed[index], 'a watch')
    const before: Map<string, unknown> = new Map(
      must(listed[index], 'a list').body.items.map((item: { id: string }) => [item.id, item]),
    )
    const events = [...before.values()].map((object) => ({
      type: 'ADDED',
      object,
      resource_version: '',
    }))
    await expect.poll(() => shown(stateOf(watch.events)), { message: search }).toEqual(expected)
    await expect
      .poll(() => shown(stateOf([...events, ...again.events])), {
        message: search,
      })
      .toEqual(expected)
    const types = again.changes().map(({ type }) => type)
    seen.entered += types.filter((type) => type === 'ADDED').length
    seen.left += types.filter((type) => type === 'DELETED').length
    seen.found += expected.size
  }
  for (const watch of [...watches, ...resumed]) watch[Symbol.dispose]()
  expect(seen.entered).toBeGreaterThan(proofSize(50))
  expect(seen.left).toBeGreaterThan(proofSize(50))
  expect(seen.found).toBeGreaterThan(proofSize(100))
})

/** The fields of each item that are compared. */
function shown(state: ReadonlyMap<string, unknown>): Map<string, unknown> {
  return new Map(
    [...state].map(([id, object]) => {
      const { generation, labels, spec } = Object(object)
      return [id, { id, generation, labels, spec }]
    }),
  )
}
