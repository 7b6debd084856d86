import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedClusters } from './seed-clusters.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const ROWS = 12_345

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await seedClusters(client, ROWS)
  await client.end()
})
afterAll(() => server[Symbol.asyncDispose]())

const ALL = encodeURIComponent("name like 'cluster-%'")

async function list(query: string) {
  const { status, body } = await server.get(`/clusters?${query}`)
  expect(status).toBe(200)
  return body
}

describe(`the total of ${ROWS} clusters`, () => {
  it('is exact without a search, on every page and beyond', async () => {
    for (const page of [1, 2, 13, 14, 1000]) {
      const { total, total_is_estimate: mark, size } = await list(`pageSize=1000&page=${page}`)
      expect([total, mark, size]).toEqual([
        ROWS,
        undefined,
        Math.max(0, Math.min(1000, ROWS - (page - 1) * 1000)),
      ])
    }
  })

  it('is exact for a search that matches up to 10 000', async () => {
    const search = encodeURIComponent("name like 'cluster-1%'")
    const first = await list(`search=${search}&pageSize=10`)
    expect(first).not.toHaveProperty('total_is_estimate')
    const { total } = await list(`search=${search}&pageSize=1000&page=5`)
    expect(first.total).toBe(total)
  })

  it('is marked as an estimate beyond that, and exceeds the number of listed items', async () => {
    for (const page of [1, 5, 12]) {
      const body = await list(`search=${ALL}&pageSize=1000&page=${page}`)
      expect(body.total_is_estimate).toBe(true)
      expect(body.total).toBeGreaterThan(Math.max(10_000, page * 1000))
    }
  })

  it('is exact on the last page and beyond it, also of such a search', async () => {
    for (const query of [
      'pageSize=1000&page=13',
      'pageSize=1000&page=14',
      'pageSize=823&page=15',
    ]) {
      const body = await list(`search=${ALL}&${query}`)
      expect([body.total, body.total_is_estimate]).toEqual([ROWS, undefined])
    }
  })

  it('lets a client that pages up to it see every item once', async () => {
    const seen = new Set<string>()
    for (let page = 1, total = 1; seen.size < total; page += 1) {
      const body = await list(`search=${ALL}&pageSize=1000&page=${page}&fields=id`)
      for (const { id } of body.items) seen.add(id)
      total = body.total
      expect(page).toBeLessThan(20)
    }
    expect(seen.size).toBe(ROWS)
  })
})
