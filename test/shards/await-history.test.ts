import { expect, test } from 'vitest'
import { awaitHistory } from '../../src/shards/storage/await-history.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'

test('the history lacks changes that no server has moved to the log', async () => {
  await using created = await createTestDatabase()
  await using database = openTestDatabase(created.url)
  const pause = () => Promise.resolve()
  const hasHistory = () => awaitHistory(database, { timeoutMs: 0, pause })
  expect(await hasHistory()).toBe(true)
  const text = `
    insert into outbox (type, resource_id, adapter, version, generation, created_time, conditions)
    values ('ADDED', 'r', 'a', 1, 1, now(), '[]')`
  await database.execute({ name: 'write', text }, [])
  expect(await hasHistory()).toBe(false)
  await database.execute({ name: 'sequence', text: 'select moved from sequence_changes(10)' }, [])
  expect(await hasHistory()).toBe(false)
  const collect = 'update history_cursor set revision = head.revision from head'
  await database.execute({ name: 'collect', text: collect }, [])
  expect(await hasHistory()).toBe(true)
})
