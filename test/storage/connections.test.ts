import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Database } from '../../src/store/database/database.ts'
import { inTransaction } from '../../src/store/database/in-transaction.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, serverNames } from '../support/test-database.ts'

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
