import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creation, queryDatabase } from '../support/fixtures.ts'
import { JSON_TYPE } from '../support/lifecycle.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const HOUR_MS = 3_600_000

let database: TestDatabase
/** Servers on one database with the machine's clock, a clock 30 hours fast, and one 30 hours slow. */
let servers: readonly TestServer[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  servers = await Promise.all(
    [0, 30, -30].map((hours) =>
      startTestServer({
        databaseUrl: database.url,
        env: { FEED_RETENTION: '1h' },
        clock: () => new Date(Date.now() + hours * HOUR_MS),
      }),
    ),
  )
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  await database[Symbol.asyncDispose]()
})

describe("servers whose clocks differ by hours use the database's clock and", () => {
  test('share idempotency keys', async () => {
    for (const [index, first] of servers.entries()) {
      const key = { ...JSON_TYPE, 'Idempotency-Key': `clock-${index}` }
      const body = creation('Cluster')
      const made = await first.request('POST', '/clusters', body, key)
      expect(made.status).toBe(201)
      for (const [other, server] of servers.entries()) {
        // Each create with a key also deletes expired keys.
        const another = { ...JSON_TYPE, 'Idempotency-Key': `clock-${index}-${other}` }
        await server.request('POST', '/clusters', creation('Cluster'), another)
        const again = await server.request('POST', '/clusters', body, key)
        expect(again.headers.get('idempotency-replayed')).toBe('true')
        expect(again).toMatchObject({ status: 201, text: made.text })
      }
    }
  })

  test('expire a key 24 hours later by the clock of the database', async () => {
    const key = { ...JSON_TYPE, 'Idempotency-Key': 'old' }
    const [first, , slow] = servers
    const body = creation('Cluster')
    const made = await first?.request('POST', '/clusters', body, key)
    expect(made?.status).toBe(201)
    if (!slow) throw new Error('no server with a slow clock')
    await queryDatabase(
      slow,
      `update idempotency_keys set created_time = created_time - interval '24 hours'
       where key = 'old'`,
    )
    const later = await slow.request('POST', '/clusters', creation('Cluster'), key)
    expect(later.headers.get('idempotency-replayed')).toBeNull()
    expect(later.status).toBe(201)
  })

  test('keep the change log and report no lag', async () => {
    const from = (await servers[0]?.get('/clusters'))?.body.resource_version
    for (const server of servers) {
      await server.post('/clusters', creation('Cluster'))
      expect((await fetch(`${server.healthOrigin}/readyz`)).status).toBe(200)
      const { status } = await server.request(
        'HEAD',
        `/clusters?watch=true&resourceVersion=${from}`,
      )
      expect(status).toBe(200)
    }
  })
})
