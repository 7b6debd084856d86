import { expect, it } from 'vitest'
import { queryDatabase } from '../support/fixtures.ts'
import { startTestServer } from '../support/test-server.ts'

it('rejects a page of more than 64 MiB and returns a smaller one of the same items', async () => {
  await using server = await startTestServer()
  const { body } = await server.post('/clusters', { kind: 'Cluster', name: 'large', spec: {} })
  await queryDatabase(
    server,
    `insert into resources (id, kind, name, generation, version, spec, labels, conditions, cond,
       created_time, updated_time, created_by, updated_by)
     select id || '-' || n, kind, name || '-' || n, 1, 1,
       jsonb_build_object('filler', repeat('x', 1000000)), labels, conditions, cond,
       created_time, updated_time, created_by, updated_by
     from resources, generate_series(1, 70) as n where id = $1`,
    [body.id],
  )
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await server.get('/clusters?pageSize=100')).toMatchObject({
      status: 400,
      body: {
        code: 'HYPERFLEET-VAL-000',
        detail: expect.stringContaining('ask for fewer items'),
        errors: [{ field: 'pageSize' }],
      },
    })
    const { status, body: page } = await server.get('/clusters?pageSize=20')
    expect([status, page.items.length, page.total]).toEqual([200, 20, 71])
  }
})
