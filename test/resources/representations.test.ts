import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import type { Representation } from '../../src/store/operations/read/representation.ts'
import { createResourceCache } from '../../src/store/operations/read/resource-cache.ts'
import {
  createResourceReader,
  type FoundResource,
  type ResourceReader,
} from '../../src/store/operations/read/resource-reader.ts'
import { createRegistry } from '../../src/store/registry/registry.ts'
import type { Database } from '../../src/store/database/database.ts'
import { insertResource } from '../../src/store/resources/insert/insert-resource.ts'
import { sampleResource } from '../search/sample-rows.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'

const FIRST = sampleResource(1)
const SECOND = sampleResource(2)

/** A form that counts how often it is serialized. */
function representation(name: string): Representation & { readonly serialized: string[] } {
  const serialized: string[] = []
  return {
    name,
    serialized,
    serialize: ({ id, version }) => {
      serialized.push(`${id} ${version}`)
      const body = Buffer.from(`${name} ${id} ${version}`)
      return { bytes: body.length, at: () => body }
    },
  }
}

describe('a reader for two representations', () => {
  let copy: TestDatabase
  let database: Database
  let reader: ResourceReader
  /** The ids whose rows the statements sent, one list per statement. */
  let sent: string[][]
  const short = representation('short')
  const long = representation('long')

  beforeEach(async () => {
    copy = await createTestDatabase()
    database = openTestDatabase(copy.url)
    for (const resource of [FIRST, SECOND]) await insertResource(database, resource, null)
    sent = []
    short.serialized.length = 0
    long.serialized.length = 0
    const observed: Database = {
      ...database,
      execute: async (statement, values) => {
        const rows = await database.execute<never>(statement, values)
        sent.push(rows.flatMap((row: { readonly id: string | null }) => row.id ?? []))
        return rows
      },
    }
    reader = readerOf(observed, 1_000_000)
  })
  afterEach(async () => {
    await database[Symbol.asyncDispose]()
    await copy[Symbol.asyncDispose]()
  })

  function readerOf(observed: Database, cacheBytes: number): ResourceReader {
    return createResourceReader({
      database: observed,
      registry: createRegistry({
        hrefBase: BASE_PATH,
        kinds,
        specSchemas: new Map(kinds.map(({ kind }) => [kind, { type: 'object' }])),
        requiredAdapters: new Map(),
      }),
      cache: createResourceCache(cacheBytes),
      representations: [short, long],
      timeoutMs: 60_000,
    })
  }

  const bodies = (found: readonly (FoundResource | null)[] | null) =>
    found?.map((item) => item?.body.toString())

  it('serializes the second representation from the row that the first one read', async () => {
    expect(bodies([await reader.one(FIRST.id, short)])).toEqual([`short ${FIRST.id} 1`])
    expect(bodies([await reader.one(FIRST.id, long)])).toEqual([`long ${FIRST.id} 1`])
    expect(sent).toEqual([[FIRST.id], []])
  })

  it('keeps both representations of a version', async () => {
    for (const form of [short, long, short, long]) await reader.one(FIRST.id, form)
    expect(sent).toEqual([[FIRST.id], [], [], []])
    expect([short.serialized, long.serialized]).toEqual([[`${FIRST.id} 1`], [`${FIRST.id} 1`]])
  })

  it('reads one row for concurrent reads in both representations', async () => {
    const found = await Promise.all([
      reader.one(FIRST.id, short),
      reader.one(FIRST.id, long),
      reader.one(SECOND.id, long),
    ])
    expect(bodies(found)).toEqual([
      `short ${FIRST.id} 1`,
      `long ${FIRST.id} 1`,
      `long ${SECOND.id} 1`,
    ])
    expect(sent.map((ids) => ids.toSorted())).toEqual([[FIRST.id, SECOND.id]])
  })

  it('serves a new version in each representation', async () => {
    for (const form of [short, long]) await reader.one(FIRST.id, form)
    await database.pool.query('update resources set version = 2 where id = $1', [FIRST.id])
    expect(bodies([await reader.one(FIRST.id, long)])).toEqual([`long ${FIRST.id} 2`])
    expect(bodies([await reader.one(FIRST.id, short)])).toEqual([`short ${FIRST.id} 2`])
    expect(sent).toEqual([[FIRST.id], [], [FIRST.id], []])
  })

  it('reads a page in one representation after another one', async () => {
    const listed = [FIRST, SECOND].map(({ id }) => {
      return { id, version: 1n, reportTimes: null, position: '[]', resource: null }
    })
    await reader.page(listed, short)
    expect(bodies(await reader.page(listed, long))).toEqual([
      `long ${FIRST.id} 1`,
      `long ${SECOND.id} 1`,
    ])
    expect(sent.map((ids) => ids.toSorted())).toEqual([[FIRST.id, SECOND.id]])
  })

  it('serves both representations without a cache', async () => {
    const uncached = readerOf(database, 0)
    const found = await Promise.all([short, long].map((form) => uncached.one(FIRST.id, form)))
    expect(bodies(found)).toEqual([`short ${FIRST.id} 1`, `long ${FIRST.id} 1`])
  })
})
