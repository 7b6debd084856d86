import sql from 'sql-template-tag'
import { afterEach, expect, it, vi } from 'vitest'
import { endLongTurn } from '../../src/lib/async/steps.ts'
import { currentWork, workFor } from '../../src/lib/tracing/main-thread.ts'
import type { Database } from '../../src/store/database/database.ts'
import { inTransaction } from '../../src/store/database/in-transaction.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, serverNames } from '../support/test-database.ts'

/** Longer than a turn of the event loop may take. */
const LONG_MS = 11

afterEach(() => {
  vi.useRealTimers()
})

it.each(serverNames())('connections to %s do not compile plans', async (server) => {
  await using copy = await createTestDatabase(server)
  await using database = openTestDatabase(copy.url)
  const { rows } = await database.pool.query('show jit')
  expect(rows).toEqual([{ jit: 'off' }])
})

it('transactions of paused processes end', async () => {
  await using copy = await createTestDatabase()
  await using database = openTestDatabase(copy.url)
  const read = (one: Database) =>
    one.query('show_timeout', sql`show idle_in_transaction_session_timeout`)
  const inside = await inTransaction(database, 'commit', read)
  expect(inside).toEqual([{ idle_in_transaction_session_timeout: '5s' }])
  expect(await read(database)).toEqual([{ idle_in_transaction_session_timeout: '0' }])
})

it('the time to parse rows belongs to the turn of the work that reads them', async () => {
  await using copy = await createTestDatabase()
  await using database = openTestDatabase(copy.url)
  database.pool.on('connect', (client) => {
    client.connection.stream.on('data', () => vi.advanceTimersByTime(LONG_MS))
  })
  vi.useFakeTimers({ toFake: ['performance'] })
  const work = {}
  workFor(work)
  await database.query('select_one', sql`select 1`)
  expect(currentWork()).toBe(work)
  expect(endLongTurn()).not.toBeNull()
})

it('work continues after its transaction', async () => {
  await using copy = await createTestDatabase()
  await using database = openTestDatabase(copy.url)
  const work = {}
  workFor(work)
  const inside = await inTransaction(database, 'commit', () => Promise.resolve(currentWork()))
  expect(inside).toBe(work)
  expect(currentWork()).toBe(work)
})
