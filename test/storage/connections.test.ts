import { expect, it } from 'vitest'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase, serverNames } from '../support/test-database.ts'

it.each(serverNames())('connections to %s do not compile plans', async (server) => {
  await using copy = await createTestDatabase(server)
  await using database = openTestDatabase(copy.url)
  const { rows } = await database.pool.query('show jit')
  expect(rows).toEqual([{ jit: 'off' }])
})
