import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import sql from 'sql-template-tag'
import { loadSpecSchemas } from '../../src/hyperfleet/openapi/load.ts'
import type { Representation } from '../../src/store/operations/read/representation.ts'
import { createResourceCache } from '../../src/store/operations/read/resource-cache.ts'
import { createResourceReader } from '../../src/store/operations/read/resource-reader.ts'
import { listPage } from '../../src/store/operations/list/list-resources.ts'
import { type Feed, startFeed } from '../../src/store/feed/feed.ts'
import type { Context } from '../../src/store/operations/context.ts'
import { createRegistry, type Registry } from '../../src/store/registry/registry.ts'
import { bind } from '../../src/store/search/bind/bind.ts'
import { compile } from '../../src/store/search/sql/compile.ts'
import { evaluate } from '../../src/store/search/memory/evaluate.ts'
import { fieldsOf } from '../../src/store/search/bind/fields.ts'
import { parse } from '../../src/store/search/language/parse.ts'
import { type Predicate, TRUE } from '../../src/store/search/bind/predicate.ts'
import type { Database } from '../../src/store/database/database.ts'
import { conditionType } from '../../src/hyperfleet/statuses/conditions/condition-type.ts'
import type { ReportTime } from '../../src/store/model/status-record.ts'
import { scope } from '../../src/store/resources/list/scope.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { must } from '../../src/lib/assert.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { FlotillaError } from '../../src/lib/errors.ts'
import { createKeyedQueue } from '../../src/lib/async/keyed-queue.ts'
import { createSemaphore } from '../../src/lib/async/semaphore.ts'
import { proofSize } from '../support/proof-size.ts'
import { searchText } from './search-arbitraries.ts'
import { type SearchableRow, searchableRow, searchRowOf, statusesOf } from './search-rows.ts'
import { serverNames } from '../support/test-database.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'

const ROWS = 60
const BATCH = 50
const BATCHES = proofSize(300)
const OWNERS = ['a', 'ab', "a'b", '\u{1f600}']

/** The resources of a list route, without a search. */
interface Route {
  readonly kind: 'Cluster' | 'NodePool'
  readonly owner: string | null
}

const ROUTES: readonly Route[] = [
  { kind: 'Cluster', owner: null },
  { kind: 'NodePool', owner: null },
  ...OWNERS.map((owner) => ({ kind: 'NodePool', owner }) as const),
]

/** Pieces that mean something in the language, in SQL, or in a pattern. */
const PIECES = [
  ...' \t\n()[],.\'"\\%_;$=!<>~-+/*0a'.split(''),
  ' and ',
  ' or ',
  'not ',
  ' in (',
  ' like ',
  ' is null',
  ' between ',
  "''",
  '--',
  '$1',
  '::text',
  'labels.',
  'status.conditions.',
  '.last_updated_time',
  'spec.',
  'spec."',
  'true',
  ' is not false',
  "owner_id = 'a'",
  'name = id',
  ' == ',
  '"x"',
  '`',
  '1Ki',
  '2026-01-01',
  '2026-01-01T00:00:00Z',
  'href',
  "'x' < ",
  "name = 'x' or name != 'x'",
  "') or ('1'='1",
  '\0',
  '\ud800',
  '\u{1f600}',
]

interface Mutation {
  readonly at: number
  readonly drop: number
  readonly piece: string
}

/** A search that means something, sometimes changed in a few places; sometimes none at all. */
function anySearch(): fc.Arbitrary<string> {
  const mutation: fc.Arbitrary<Mutation> = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.integer({ min: 0, max: 3 }),
    piece: fc.constantFrom('', ...PIECES),
  })
  const mutated = fc
    .tuple(searchText(), fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([text, mutations]) => mutations.reduce(mutate, text))
  const soup = fc.array(fc.constantFrom(...PIECES, 'name', "'x'"), { maxLength: 8 })
  return fc.oneof(
    { weight: 6, arbitrary: searchText() },
    { weight: 5, arbitrary: mutated },
    { weight: 1, arbitrary: soup.map((pieces) => pieces.join('')) },
  )
}

function mutate(text: string, { at, drop, piece }: Mutation): string {
  const start = Math.floor(at * text.length)
  return text.slice(0, start) + piece + text.slice(start + drop)
}

/** Clusters, of which some are owners, and node pools; distinct in (kind, owner, name). */
function sampleRows(): readonly SearchableRow[] {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const [row] = fc.sample(searchableRow(OWNERS[index] ?? `id-${index}`), 1)
    const kind = index % 3 === 0 || index < OWNERS.length ? 'Cluster' : 'NodePool'
    const owner = kind === 'Cluster' ? '' : (OWNERS[index % OWNERS.length] ?? '')
    const name = index < OWNERS.length ? { name: `owner ${index}` } : {}
    return { ...must(row, 'a row'), ...name, kind, owner_id: owner }
  })
  const distinct = new Map(
    rows.map((row) => [JSON.stringify([row.kind, row.owner_id, row.name]), row]),
  )
  return [...distinct.values()]
}

/** The tests compare ids; bodies do not matter. */
const UNUSED: Representation = {
  name: 'unused',
  serialize: () => ({ bytes: 0, at: () => Buffer.alloc(0) }),
}

describe.each(serverNames())('on the server %s', (serverName) => {
  let server: TestServer
  let database: Database
  let registry: Registry
  let context: Context
  let feed: Feed
  const rows = sampleRows()

  beforeAll(async () => {
    server = await startTestServer({ server: serverName })
    database = openTestDatabase(server.databaseUrl)
    registry = createRegistry({
      hrefBase: BASE_PATH,
      kinds,
      specSchemas: await loadSpecSchemas(kinds, null),
      requiredAdapters: new Map(),
    })
    feed = await startFeed({
      database,
      retention: { seconds: 3600, changes: 1_000_000 },
      onError: () => undefined,
    })
    const reader = createResourceReader({
      database,
      registry,
      cache: createResourceCache(0),
      representations: [UNUSED],
      timeoutMs: 60_000,
    })
    context = {
      database,
      replicas: null,
      registry,
      clock: systemClock,
      writes: createKeyedQueue(60_000),
      searches: createSemaphore(6, 60_000),
      reader,
      primaryReader: reader,
      insertBatches: null,
      feed,
      onSearchRejected: () => undefined,
      labelsBumpGeneration: false,
    }
    for (const row of rows) await insert(row)
    await database.pool.query('analyze resources')
  })
  afterAll(async () => {
    await feed[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  async function insert(row: SearchableRow): Promise<void> {
    await database.query(
      'insert',
      sql`insert into resources (id, kind, name, owner_id, generation, version, spec, labels,
            conditions, cond, created_time, updated_time, deleted_time, deleted_by, created_by,
            updated_by)
          values (${row.id}, ${row.kind}, ${row.name}, ${row.owner_id}, ${row.generation}, 1,
            ${JSON.stringify(row.spec)},
            ${JSON.stringify(row.labels)}, ${JSON.stringify(row.conditions)},
            ${JSON.stringify(statusesOf(row))}, ${row.created_time}, ${row.updated_time},
            ${row.deleted_time}, ${row.deleted_by}, ${row.created_by}, ${row.updated_by})`,
    )
    for (const report of row.reports) await insertReport(row.id, report)
  }

  async function insertReport(id: string, report: ReportTime): Promise<void> {
    const { adapter, availableGeneration, lastReportTime } = report
    await database.query(
      'insert',
      sql`insert into adapter_statuses (resource_id, adapter, observed_generation, revision,
            conditions, available_generation, data, created_time, last_report_time, observed_time,
            condition_type)
          values (${id}, ${adapter}, 1, 1, '[]', ${availableGeneration}, '{}', ${lastReportTime},
            ${lastReportTime}, ${lastReportTime}, ${conditionType(adapter)})`,
    )
  }

  /** The predicate of the search on this route, or null if it is rejected as expected. */
  function understand(search: string, { kind }: Route): Predicate | null {
    try {
      const expression = parse(search)
      return expression === null ? TRUE : bind(expression, fieldsOf(registry.byName(kind)))
    } catch (error) {
      expect(error).toBeInstanceOf(FlotillaError)
      expect(error).toMatchObject({ reason: 'invalid-search' })
      return null
    }
  }

  function idsInMemory(predicate: Predicate, { kind, owner }: Route): readonly string[] {
    const { requiredAdapters } = registry.byName(kind)
    return rows
      .filter((row) => row.kind === kind && (owner === null || row.owner_id === owner))
      .filter((row) => evaluate(predicate, searchRowOf(row, requiredAdapters)))
      .map(({ id }) => id)
      .toSorted()
  }

  async function idsInDatabase(
    predicate: Predicate,
    { kind, owner }: Route,
  ): Promise<readonly string[]> {
    const found = await database.query<{ id: string }>(
      'search',
      sql`select id from resources where ${scope({ tenant: null, kind, ownerId: owner })} and (${compile(predicate)})`,
    )
    return found.map(({ id }) => id).toSorted()
  }

  const someRoute = fc.constantFrom(...ROUTES)

  test('thousands of searches have the same result in the database and in memory, within their scope', async () => {
    const seen = { refused: 0, none: 0, some: 0, all: 0 }
    const searches = fc.array(fc.tuple(anySearch(), someRoute), {
      minLength: BATCH,
      maxLength: BATCH,
    })
    await fc.assert(
      fc.asyncProperty(searches, async (batch) => {
        await Promise.all(
          batch.map(async ([search, route]) => {
            const predicate = understand(search, route)
            if (predicate === null) {
              seen.refused += 1
              return
            }
            const expected = idsInMemory(predicate, route)
            expect(await idsInDatabase(predicate, route)).toEqual(expected)
            const inScope = idsInMemory(TRUE, route).length
            seen[expected.length === 0 ? 'none' : expected.length === inScope ? 'all' : 'some'] += 1
          }),
        )
      }),
      { numRuns: BATCHES, endOnFailure: true },
    )
    expect(seen.refused + seen.none + seen.some + seen.all).toBeGreaterThanOrEqual(BATCH * BATCHES)
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(BATCHES)
  })

  test('searches return these rows over HTTP, or 400 with a position', async () => {
    const seen = { refused: 0, found: 0 }
    const searches = fc.array(fc.tuple(anySearch(), someRoute), { minLength: 20, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(searches, async (batch) => {
        await Promise.all(
          batch.map(async ([search, route]) => {
            // Characters that a URL cannot contain arrive as U+FFFD.
            const sent = search.replaceAll(/\p{Surrogate}/gu, '\ufffd')
            const predicate = understand(sent, route)
            const collection = route.kind === 'Cluster' ? '/clusters' : '/nodepools'
            const path =
              route.owner === null
                ? collection
                : `/clusters/${encodeURIComponent(route.owner)}/nodepools`
            const { status, body } = await server.get(
              `${path}?pageSize=1000&search=${encodeURIComponent(sent)}`,
            )
            if (predicate === null) {
              seen.refused += 1
              expect({ status, code: body.code }).toEqual({
                status: 400,
                code: 'HYPERFLEET-VAL-005',
              })
              const [{ field, position, length }] = body.errors
              expect(field).toBe('search')
              expect(position).toBeGreaterThanOrEqual(0)
              expect(position + length).toBeLessThanOrEqual(sent.length)
              return
            }
            const expected = idsInMemory(predicate, route)
            expect(status).toBe(200)
            seen.found += 1
            expect(body.items.map(({ id }: { id: string }) => id).toSorted()).toEqual(expected)
            expect(body.total).toBe(expected.length)
          }),
        )
      }),
      { numRuns: proofSize(20), endOnFailure: true },
    )
    expect(seen.refused).toBeGreaterThan(proofSize(50))
    expect(seen.found).toBeGreaterThan(proofSize(50))
  })

  test('pages of a search never overlap and never leave the scope', async () => {
    await fc.assert(
      fc.asyncProperty(searchText(), someRoute, async (search, route) => {
        const expected = idsInMemory(must(understand(search, route), 'a meaning'), route)
        if (expected.length === 0) return
        const found: string[] = []
        for (let page = 1; page <= Math.ceil(expected.length / 7); page += 1) {
          const { total, items } = await listPage(context, {
            tenant: null,
            kind: registry.byName(route.kind),
            ownerId: route.owner,
            search: [search],
            references: null,
            orderBy: [
              { column: 'generation', direction: 'desc' },
              { column: 'id', direction: 'desc' },
            ],
            page,
            after: null,
            pageSize: 7,
            representation: UNUSED,
          })
          expect(total).toBe(expected.length)
          found.push(...items.map(({ id }) => id))
        }
        expect(found.toSorted()).toEqual(expected)
      }),
      { numRuns: proofSize(150) },
    )
  })
})
