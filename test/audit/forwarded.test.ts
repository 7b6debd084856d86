import { expect, test } from 'vitest'
import { callerWith, SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { must } from '../../src/lib/assert.ts'
import { startShards } from '../shards/shard-servers.ts'

const TENANTS = ['acme', 'umbrella', 'initech', 'hooli', 'globex', 'stark', 'wayne', 'tyrell']

test('a forwarded request is recorded by the server that serves it, or fails to forward it', async () => {
  await using shards = await startShards(['north', 'south'])
  const [north, south] = shards.shards.map(({ server }) => must(server, 'a server'))
  const create = (org: string) =>
    callerWith(must(north, 'north'), tenantHeaders(org)).post('/clusters', creation('Cluster'))
  for (const org of TENANTS) expect((await create(org)).status).toBe(201)
  await must(south, 'south')[Symbol.asyncDispose]()
  const statuses: number[] = []
  for (const org of TENANTS) statuses.push((await create(org)).status)
  const system = callerWith(must(north, 'north'), SYSTEM_HEADERS)
  const count = async (search: string) => {
    const path = `/audit?shard=north&search=${encodeURIComponent(search)}`
    return (await system.get(path)).body.items.length
  }
  const failures = statuses.filter((status) => status === 503).length
  expect(failures).toBeGreaterThan(0)
  await expect.poll(() => count('status = 503')).toBe(failures)
  await expect.poll(() => count('status = 201')).toBe(2 * (TENANTS.length - failures))
})
