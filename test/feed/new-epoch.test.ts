import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Log } from '../../src/store/changes/log.ts'
import { sequenceChanges } from '../../src/store/changes/sequence-changes.ts'
import { availableReport } from '../statuses/available-report.ts'
import { syncedCluster } from '../support/synced-cluster.ts'
import { statementsOf } from '../snapshots/snapshot-requests.ts'
import { queryDatabase } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startTestServer } from '../support/test-server.ts'

it('a server clears its caches if the database is another one', async () => {
  await using server = await startTestServer()
  const path = await syncedCluster(server, ['dns'])
  const send = () => server.post(`${path}/statuses`, availableReport('dns', 1))
  expect((await server.get(path)).body.labels).toEqual({})
  expect(await statementsOf(server, send)).toEqual(['refresh_reports'])

  // As after a restore: other contents with versions and revisions that the server has cached.
  await queryDatabase(server, `update head set epoch = 'feed0001'`)
  await queryDatabase(
    server,
    `update resources set labels = '{"restored":"yes"}' where '/clusters/' || id = $1`,
    [path],
  )
  await queryDatabase(
    server,
    `update adapter_statuses set conditions = replace(conditions::text, 'True', 'False')::json,
       available = replace(available::text, 'True', 'False')::json
     where '/clusters/' || resource_id = $1`,
    [path],
  )

  await expect.poll(async () => (await server.get(path)).body.labels).toEqual({ restored: 'yes' })
  const answer = await send()
  expect(answer.status).toBe(201)
  expect((await server.get(`${path}/statuses`)).body.items).toEqual([answer.body])
  expect(answer.body.conditions).toMatchObject([{ type: 'Available', status: 'True' }])
})

describe('a step of the sequencer', () => {
  const functions: Readonly<Record<Log, string>> = {
    resources: 'renew_epoch',
    objects: 'renew_object_epoch',
  }

  it.each<Log>(['resources', 'objects'])('checks the epoch of %s once', async (log) => {
    await using copy = await createTestDatabase()
    await using database = openTestDatabase(copy.url)
    const rows = await database.transaction(async (connection) => {
      await connection.query('count', sql`set local track_functions = 'pl'`)
      await sequenceChanges(connection, log, { limit: 10 })
      return connection.query<{ calls: bigint }>(
        'calls',
        sql`select calls from pg_stat_xact_user_functions where funcname = ${functions[log]}`,
      )
    })
    expect(rows.map(({ calls }) => Number(calls))).toEqual([1])
  })
})
