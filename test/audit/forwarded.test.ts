import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { encodeTenant } from '../../src/access/tenant.ts'
import { placeTenant } from '../../src/shards/storage/directory.ts'
import { listen } from '../../src/lib/listen.ts'
import { callerWith, SYSTEM_HEADERS, tenantHeaders } from '../auth/tenants.ts'
import { creation } from '../support/fixtures.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { must } from '../../src/lib/assert.ts'
import { query } from '../shards/query.ts'
import { register, startShards } from '../shards/shard-servers.ts'

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

test('a write is recorded if its tenant arrives while another shard refuses it', async () => {
  await using shards = await startShards(['north', 'south'])
  const [north, south] = shards.shards.map((shard) => must(shard, 'a shard'))
  const refusing = createServer((_request, response) => {
    const arrival = `update tenant_shards set shard = 'north'`
    void query(shards.directoryUrl, arrival).then(() =>
      response.writeHead(503, { 'X-Flotilla-Misdirected': 'true' }).end(),
    )
  })
  const servers = [`http://127.0.0.1:${await listen(refusing, 0, '127.0.0.1')}`]
  onTestFinished(() => void refusing.close())
  const database = must(south, 'south').databaseUrl
  await register(shards.directoryUrl, { name: 'south', database, servers })
  await using directory = openTestDatabase(shards.directoryUrl)
  await placeTenant(directory, encodeTenant({ org: 'acme', project: 'web' }), 'south')
  const { server } = must(north, 'north')
  const tenant = callerWith(server, tenantHeaders('acme'))
  expect((await tenant.send('DELETE', '/no-route')).status).toBe(404)
  const events = async () => (await tenant.get('/audit?search=status%20%3D%20404')).body.items
  await expect.poll(async () => (await events()).length).toBe(1)
  const [event] = await events()
  expect(event).toMatchObject({ method: 'DELETE', route: '' })
})
