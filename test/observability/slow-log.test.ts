import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { logInto } from '../../src/http/server/fixtures.ts'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import { metricOf } from '../watch/watch-client.ts'

const lines: Record<string, unknown>[] = []
let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ env: { SLOW_QUERY_MS: '100' }, log: logInto(lines) })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Runs a request whose first statement, which has this text, waits longer than the threshold. */
async function delayed<T>(text: string, send: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  try {
    await client.query('begin; lock table resources in access exclusive mode')
    const request = send()
    await expect.poll(() => hasWaitedLong(text)).toBe(true)
    await client.query('commit')
    return await request
  } finally {
    await client.end()
  }
}

/** Whether a statement with this text has waited for a lock for twice the threshold. */
async function hasWaitedLong(text: string): Promise<boolean> {
  const rows = await queryDatabase(
    server,
    `select 1 from pg_locks join pg_stat_activity using (pid)
     where not granted and waitstart < clock_timestamp() - interval '0.2 s'
       and datname = current_database() and strpos(query, $1) > 0`,
    [text],
  )
  return rows.length > 0
}

/** On a busy machine, statements of other requests are slow, too. */
function slowLines(statement: string, requestId: string) {
  return lines.filter(
    (line) =>
      line['msg'] === 'slow statement' &&
      line['statement'] === statement &&
      line['request_id'] === requestId,
  )
}

describe('the slow-query log', () => {
  it('names the statement, the request, the caller and the search', async () => {
    await server.post('/clusters', creation('Cluster', { name: 'slow' }))
    const search = "name = 'slow' and labels.tier is null"
    const path = `/clusters?search=${encodeURIComponent(search)}`
    const headers = {
      'X-Request-ID': 'slow-1',
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }
    // Statements of background tasks wait for the lock too, but have no offset.
    const { body } = await delayed('offset $', () =>
      server.request('GET', path, undefined, headers),
    )
    expect(body.total).toBe(1)
    const [line] = slowLines('list_resources', 'slow-1')
    expect(line).toMatchObject({
      level: 40,
      rows: 1,
      trace_id: '0af7651916cd43dd8448eb211c80319c',
      user: 'system@hyperfleet.local',
      search,
    })
    expect(Number(line?.['duration_ms'])).toBeGreaterThanOrEqual(200)
    expect(
      await metricOf(server, 'flotilla_db_slow_queries_total{statement="list_resources"}'),
    ).toBe(1)
  })

  it('never contains values of a write', async () => {
    const secret = creation('Cluster', { spec: { password: 'hunter2' } })
    const headers = { ...JSON_TYPE, 'X-Request-ID': 'slow-2' }
    const { status } = await delayed('insert into resources', () =>
      server.request('POST', '/clusters', secret, headers),
    )
    expect(status).toBe(201)
    expect(slowLines('insert_resource', 'slow-2')).toHaveLength(1)
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })
})
