import sql, { type Sql } from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { loadSpecSchemas } from '../../src/hyperfleet/openapi/load.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { must } from '../../src/lib/assert.ts'
import { createSemaphore } from '../../src/lib/async/semaphore.ts'
import type { Database } from '../../src/store/database/database.ts'
import { sendInitialState } from '../../src/store/operations/watch/send-initial-state.ts'
import { createSentVersions } from '../../src/store/operations/watch/sent-versions.ts'
import type { Watcher } from '../../src/store/operations/watch/watch-event.ts'
import { watchFilter } from '../../src/store/operations/watch/watch-filter.ts'
import type { WatchScope } from '../../src/store/operations/watch/watch-scope.ts'
import { createRegistry, type Registry } from '../../src/store/registry/registry.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const ROWS = 450
const LARGE_ROWS = 40
/** More than a chunk of 256 KiB in six rows. */
const LARGE_BYTES = 50_000

let copy: TestDatabase
let database: Database
let registry: Registry

beforeAll(async () => {
  copy = await createTestDatabase()
  database = openTestDatabase(copy.url)
  registry = createRegistry({
    hrefBase: BASE_PATH,
    kinds,
    specSchemas: await loadSpecSchemas(kinds, null),
    requiredAdapters: new Map(),
  })
  await insert('Cluster', ROWS, '')
  await insert('NodePool', LARGE_ROWS, 'x'.repeat(LARGE_BYTES))
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  await copy[Symbol.asyncDispose]()
})

async function insert(kind: string, rows: number, text: string): Promise<void> {
  await database.query(
    'insert',
    sql`
      insert into resources (id, kind, name, owner_id, generation, version, spec, labels,
        conditions, cond, created_time, updated_time, created_by, updated_by)
      select ${kind}::text || '-' || n, ${kind}::text, 'r-' || n, '', 1, 1,
        jsonb_build_object('text', ${text}::text), jsonb_build_object('team', (n % 2)::text),
        '[]', '{}', now() + n * interval '1 millisecond', now(), 'a', 'a'
      from generate_series(1, ${rows}::integer) as n`,
  )
}

/** Sends the initial state to a client that takes each batch before the next one is sent. */
async function send(kindName: string, search: readonly string[] = []) {
  const kind = must(registry.find(kindName), kindName)
  let read = 0
  let sent = 0
  let most = 0
  const counted: Database = Object.create(database, {
    query: {
      value: async (name: string, statement: Sql) => {
        const rows = await database.query(name, statement)
        read += rows.length
        return rows
      },
    },
  })
  const signal = new AbortController().signal
  let taken = 0
  const watcher: Watcher = {
    signal,
    send: ({ events }) => {
      most = Math.max(most, read - taken)
      sent += events.length
    },
    passed: () => undefined,
    initialStateSent: () => undefined,
    fail: () => undefined,
    ready: async () => {
      taken = sent
    },
  }
  const scope: WatchScope = { subject: 'resources', tenant: null, kind, ownerId: null }
  await sendInitialState(
    {
      database: counted,
      searches: createSemaphore(1, 60_000),
      onSearchRejected: () => undefined,
    },
    {
      scope,
      filter: watchFilter(registry, scope, search),
      watcher,
      versions: createSentVersions(),
    },
  )
  return { sent, most }
}

test('holds at most a page of rows while the client reads', async () => {
  expect(await send('Cluster')).toEqual({ sent: ROWS, most: 100 })
  expect(await send('Cluster', ["labels.team='1'"])).toEqual({ sent: ROWS / 2, most: 100 })
})

test('holds fewer rows if they are large', async () => {
  // The first page is read before the size of rows is known.
  expect(await send('NodePool')).toEqual({ sent: LARGE_ROWS, most: 10 })
})
