import { afterAll, beforeAll, expect, it } from 'vitest'
import { must } from '../../src/lib/assert.ts'
import { createFleet, type TestFleet } from '../fleets/members/member-fixtures.ts'
import { availableReport } from '../statuses/available-report.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'
import {
  complete,
  createCluster,
  DNS_ONLY,
  lease,
  leaseAll,
  leaseOne,
  type WorkItem,
} from './worker.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ env: { ...DNS_ONLY, HYPERFLEET_NODEPOOL_ADAPTERS: '[]' } })
})
afterAll(() => server[Symbol.asyncDispose]())

const idsOf = (items: readonly WorkItem[]) => items.map(({ resource }) => resource.id)

async function memberOf(name: string, spec: object): Promise<{ fleet: TestFleet; id: string }> {
  const fleet = await createFleet(server, name, { replicas: 1, scaleDownPolicy: 'Delete', ...spec })
  await fleet.converge()
  const { members } = await fleet.compare()
  return { fleet, id: must(members[0]?.uid, 'a member') }
}

async function declare({ fleet }: { fleet: TestFleet }, requiredAdapters: readonly string[]) {
  await fleet.patchSpec({ requiredAdapters })
  await fleet.converge()
}

async function report(id: string, adapter: string): Promise<void> {
  const sent = await server.post(`/clusters/${id}/statuses`, availableReport(adapter, 1))
  expect(sent.status).toBe(201)
}

it('a member is due only for the adapters that it declares', async () => {
  const member = await memberOf('satisfied', {})
  // Its row in the queue is newer than that of the member.
  const { id } = await createCluster(server)
  expect(idsOf(await lease(server, { max: 100 }))).toEqual([id])
  await report(id, 'dns')

  await declare(member, ['dns'])
  const item = await leaseOne(server)
  expect(item).toMatchObject({ reason: 'NewGeneration', resource: { id: member.id } })
  expect((await complete(server, item)).status).toBe(201)
  await declare(member, [])
  // The adapter may have created external objects.
  await member.fleet.patchSpec({ replicas: 0 })
  await member.fleet.converge()
  expect(await lease(server)).toMatchObject([{ reason: 'Deletion', resource: { id: member.id } }])
})

it('a lease without kinds includes the members that declare the adapter', async () => {
  const none = await server.post('/adapters/own/lease', {})
  expect(none.status).toBe(400)
  const { id } = await memberOf('own', { requiredAdapters: ['own'] })
  const { id: other } = await createCluster(server)
  expect(idsOf(await lease(server, { max: 100 }, 'own'))).toEqual([id])
  await report(id, 'own')
  expect(await lease(server, { waitSeconds: 0 }, 'own')).toEqual([])
  // With kinds, an adapter leases every resource of a kind that does not require it.
  const all = await lease(server, { kinds: ['Cluster'], max: 100 }, 'own')
  expect(idsOf(all)).toContain(other)
  expect(idsOf(await leaseAll(server))).toEqual([other])
})
