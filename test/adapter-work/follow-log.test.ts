import { expect, test } from 'vitest'
import { followLog } from '../../src/adapter-work/storage/follow-log.ts'
import { openQueue } from '../../src/adapter-work/storage/open-queue.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'

const QUEUE = {
  adapter: 'dns',
  kind: 'Cluster',
  isRequired: true,
  maxAgeSeconds: null,
  tenant: null,
}
const SERVERS = 4

const WAITING = {
  name: 'waiting',
  text: `
    select 1 from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`,
}

const VERSION = { name: 'version', text: 'select xmin::text as version from adapter_queues' }

test('servers that waited for a queue do not make each other wait again', async () => {
  await using created = await createTestDatabase()
  await using database = openTestDatabase(created.url)
  await openQueue(database, QUEUE, 1)
  const waiting: ReturnType<typeof followLog>[] = []
  await database.transaction(async (other) => {
    // Another server moves the queue.
    const text = 'update adapter_queues set revision = revision'
    await other.execute({ name: 'move', text }, [])
    for (let count = 0; count < SERVERS; count += 1) waiting.push(followLog(database, QUEUE))
    await expect.poll(() => database.execute(WAITING, [])).toHaveLength(SERVERS)
  })
  const moved = await database.execute(VERSION, [])
  const outcomes = await Promise.all(waiting)
  expect(outcomes.map((outcome) => outcome?.isCurrent)).toEqual([false, false, false, false])
  expect(await followLog(database, QUEUE)).toMatchObject({ isCurrent: true, isFilled: false })
  expect(await database.execute(VERSION, [])).toEqual(moved)
})
