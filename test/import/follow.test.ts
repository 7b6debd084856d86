import { expect, test } from 'vitest'
import { beginFollowing, finish, follow, type Following } from '../../src/import/follow.ts'
import { openDatabaseSource } from '../../src/import/storage/open-database-source.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { startTestServer } from '../support/test-server.ts'
import { query, recordedDatabase } from './recorded.ts'

const REPORT = {
  adapter: 'dns',
  observed_generation: 1,
  observed_time: '2027-01-01T00:00:00Z',
  conditions: [{ type: 'Available', status: 'True', reason: 'R', message: 'm' }],
}

const CHANGES = [
  // Incremental passes see additions, changes and reports.
  `update resources set spec = '{"region": "moved"}', updated_time = now() where name = 'cluster-00'`,
  `insert into resources (id, kind, name, created_by, updated_by, spec)
     values ('added', 'Cluster', 'added', 'a', 'a', '{}')`,
  `insert into adapter_statuses (
       id, resource_type, resource_id, adapter, observed_generation, conditions, last_report_time)
     values ('s', 'Cluster', 'added', 'dns', 1, '[]', now())`,
] as const

test('a follower mirrors its source, which is the only writer until the import is finished', async () => {
  await using server = await startTestServer()
  await using recorded = await recordedDatabase('main')
  await using source = await openDatabaseSource(recorded.url)
  await using database = openTestDatabase(server.databaseUrl)
  const options = { dimensions: [], onFinding: () => undefined }
  const following: Following = { database, source, registry: server.registry, options }
  const passes: object[] = []
  let changed = 0

  const own = await server.post('/clusters', { kind: 'Cluster', name: 'own', spec: {} })
  const broken = { ...source, count: () => Promise.reject(new Error('interrupted')) }
  await expect(beginFollowing({ ...following, source: broken })).rejects.toThrow('interrupted')
  await expect(finish(following)).rejects.toThrow('no import follows a source')
  await expect(beginFollowing(following)).rejects.toThrow(
    'the target has 1 resources that the source lacks',
  )
  expect((await server.post(`/clusters/${own.body.id}/statuses`, REPORT)).status).toBe(201)
  await query(server.databaseUrl, 'delete from resources')

  await beginFollowing(following)
  await follow(following, {
    onPass: ({ written, replaced }, removed) => passes.push({ written, replaced, removed }),
    pause: async () => {
      const change = CHANGES[changed]
      if (change === undefined) return false
      await query(recorded.url, change)
      changed += 1
      return true
    },
  })
  expect(passes).toEqual([
    { written: 17, replaced: 0, removed: 0 },
    { written: 0, replaced: 1, removed: 0 },
    { written: 1, replaced: 0, removed: 0 },
    { written: 0, replaced: 1, removed: 0 },
  ])
  const refused = await server.post('/clusters/added/statuses', REPORT)
  expect(refused.body).toMatchObject({
    status: 409,
    code: 'HYPERFLEET-CNF-003',
    detail: expect.stringContaining('the only writer until the import is finished'),
  })
  expect((await server.post('/clusters', { kind: 'Cluster', name: 'own', spec: {} })).status).toBe(
    409,
  )
  expect((await server.get('/clusters/added/statuses')).body.items).toHaveLength(1)

  // The last changes, with a removal whose name is used again.
  await query(
    recorded.url,
    `delete from resources where id = 'added';
     insert into resources (id, kind, name, created_by, updated_by, spec)
     values ('again', 'Cluster', 'added', 'a', 'a', '{}')`,
  )
  expect(await finish(following)).toBe(true)
  expect((await server.get('/clusters/added')).status).toBe(404)
  expect((await server.post('/clusters/again/statuses', REPORT)).status).toBe(201)
  await expect(finish(following)).rejects.toThrow('no import follows a source')
})
