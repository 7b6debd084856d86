import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'
import { createFleet, namesFrom } from './member-fixtures.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '[]' },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

/** The cluster with this name; undefined if there is none. */
async function clusterNamed(name: string) {
  const { body } = await server.get(`/clusters?search=${encodeURIComponent(`name='${name}'`)}`)
  return body.items[0]
}

async function deleteCluster(name: string): Promise<string> {
  const { id } = await clusterNamed(name)
  expect((await server.request('DELETE', `/clusters/${id}`)).status).toBeLessThan(300)
  return id
}

it('wants the indexes from 0', async () => {
  const fleet = await createFleet(server, 'first', { replicas: 3 })
  const before = await fleet.compare()
  expect(before).toMatchObject({ wanted: 3, missing: namesFrom('first-', 0, 3), surplus: [] })
  expect(before.members.map(({ phase }) => phase)).toEqual(['Pending', 'Pending', 'Pending'])
  const results = await fleet.members.create(await fleet.ref(), before.missing)
  expect(results.map(({ result }) => result)).toEqual(['created', 'created', 'created'])
  const after = await fleet.compare()
  expect(after).toMatchObject({
    missing: [],
    counts: { members: 3, ready: 3, available: 3, updated: 3, claimed: 0, failed: 0 },
  })
  const again = await fleet.members.create(await fleet.ref(), ['first-0000', 'other'])
  expect(again).toMatchObject([{ result: 'conflict' }, { result: 'failed' }])
})

it('scales 0 -> 3 -> 0', async () => {
  const fleet = await createFleet(server, 'zero', { replicas: 0, scaleDownPolicy: 'Delete' })
  expect(await fleet.converge()).toMatchObject({ wanted: 0, members: [] })
  await fleet.patchSpec({ replicas: 3 })
  expect((await fleet.converge()).counts.ready).toBe(3)
  await fleet.patchSpec({ replicas: 0 })
  expect(await fleet.converge()).toMatchObject({ counts: { members: 0 }, members: [] })
  expect(await clusterNamed('zero-0000')).toBeUndefined()
})

it('writes labels, specs, node pools and objects from the template, with placeholders', async () => {
  const fleet = await createFleet(server, 'made', {
    replicas: 2,
    template: {
      labels: { tier: 'gold' },
      spec: { name: '${name}', index: '${index}' },
      nodePools: [{ name: 'pool', spec: { of: '${name}' } }],
      objects: [
        { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { i: '${index}' } },
      ],
    },
  })
  await fleet.converge()
  const cluster = await clusterNamed('made-0001')
  expect(cluster).toMatchObject({
    labels: { tier: 'gold', 'kplane.dev/fleet': 'made' },
    spec: { name: 'made-0001', index: '1' },
    created_by: 'system:fleet-controller',
  })
  const pools = await server.get(`/clusters/${cluster.id}/nodepools`)
  expect(pools.body.items).toMatchObject([{ name: 'pool', spec: { of: 'made-0001' } }])
  const map = await fleet.api.call(
    'GET',
    `/clusters/${cluster.id}/control-plane/api/v1/namespaces/default/configmaps/m`,
  )
  expect(map.body.data).toEqual({ i: '1' })
})

it('creates a manually deleted member again, with a new id', async () => {
  const fleet = await createFleet(server, 'again', { replicas: 2 })
  await fleet.converge()
  const id = await deleteCluster('again-0000')
  const { counts } = await fleet.converge()
  expect(counts.members).toBe(2)
  expect((await clusterNamed('again-0000')).id).not.toBe(id)
})

it('leaves the name of a foreign cluster alone: NameConflict', async () => {
  await server.post('/clusters', { kind: 'Cluster', name: 'taken-0001', spec: {} })
  const fleet = await createFleet(server, 'taken', { replicas: 3 })
  const { counts, conflicts, members, missing } = await fleet.converge()
  expect({ counts, conflicts, missing }).toMatchObject({
    counts: { members: 2, failed: 1 },
    conflicts: ['taken-0001'],
    missing: [],
  })
  expect(members.map(({ phase }) => phase)).toEqual(['Ready', 'Failed', 'Ready'])
  expect(members[1]?.message).toContain('NameConflict')
})

it('counts, so an index that remove-first has removed is not created again', async () => {
  const fleet = await createFleet(server, 'rf', { replicas: 4, scaleDownPolicy: 'Delete' })
  await fleet.converge()
  const { id } = await clusterNamed('rf-0001')
  await server.patch(`/clusters/${id}`, { annotations: { 'kplane.dev/remove-first': '' } })
  await fleet.patchSpec({ replicas: 2 })
  await fleet.converge()
  expect(await fleet.names()).toEqual(['rf-0000', 'rf-0002'])
  await fleet.patchSpec({ replicas: 3 })
  await fleet.converge()
  expect(await fleet.names()).toEqual(['rf-0000', 'rf-0001', 'rf-0002'])
})

it('two fleets with one prefix share no member', async () => {
  const one = await createFleet(server, 'pair-a', { replicas: 3, namePrefix: 'pair-' })
  await one.converge()
  const other = await createFleet(server, 'pair-b', { replicas: 4, namePrefix: 'pair-' })
  const { counts } = await other.converge()
  expect(counts).toMatchObject({ members: 1, failed: 3 })
  expect(await other.names()).toEqual(['pair-0003'])
  expect((await one.converge()).counts).toMatchObject({ members: 3, failed: 0 })
})

it('adopts its orphans again', async () => {
  const fleet = await createFleet(server, 'orphan', { replicas: 3 })
  await fleet.converge()
  const { id } = await clusterNamed('orphan-0002')
  await fleet.patchSpec({ replicas: 2 })
  await fleet.converge()
  expect((await clusterNamed('orphan-0002')).labels).toEqual({ 'kplane.dev/fleet': 'orphan' })
  await fleet.patchSpec({ replicas: 3 })
  const { missing } = await fleet.compare()
  const results = await fleet.members.create(await fleet.ref(), missing)
  expect(results).toEqual([{ name: 'orphan-0002', result: 'adopted', message: '' }])
  expect((await clusterNamed('orphan-0002')).id).toBe(id)
})

it('a member whose label was removed by hand is a NameConflict', async () => {
  const fleet = await createFleet(server, 'unlabelled', { replicas: 2 })
  await fleet.converge()
  const { id } = await clusterNamed('unlabelled-0000')
  await server.patch(`/clusters/${id}`, { labels: {} })
  const { counts, conflicts } = await fleet.converge()
  expect({ counts, conflicts }).toMatchObject({
    counts: { members: 1, failed: 1 },
    conflicts: ['unlabelled-0000'],
  })
})

it('keeps all members if names are reordered', async () => {
  const fleet = await createFleet(server, 'named', {
    replicas: 3,
    names: ['named-c', 'named-a', 'named-b'],
    scaleDownPolicy: 'Delete',
  })
  await fleet.converge()
  expect(await fleet.names()).toEqual(['named-c', 'named-a', 'named-b'])
  const uids = async () => new Set((await fleet.compare()).members.map(({ uid }) => uid))
  const before = await uids()
  await fleet.patchSpec({ names: ['named-a', 'named-b', 'named-c'] })
  expect(await fleet.compare()).toMatchObject({ missing: [], surplus: [], outdated: [] })
  expect(await fleet.names()).toEqual(['named-a', 'named-b', 'named-c'])
  expect(await uids()).toEqual(before)
  await fleet.patchSpec({ names: ['named-a', 'named-d', 'named-c'] })
  await fleet.converge()
  expect(await fleet.names()).toEqual(['named-a', 'named-d', 'named-c'])
})

it('changes between prefix and names', async () => {
  const fleet = await createFleet(server, 'mode', { replicas: 2, scaleDownPolicy: 'Delete' })
  await fleet.converge()
  await fleet.patchSpec({ names: ['mode-0001', 'other'] })
  await fleet.converge()
  expect(await fleet.names()).toEqual(['mode-0001', 'other'])
  await fleet.patchSpec({ names: null, namePrefix: 'mode-' })
  await fleet.converge()
  // The count is right, so nothing churns.
  expect((await fleet.names()).toSorted()).toEqual(['mode-0001', 'other'])
  await fleet.patchSpec({ replicas: 1 })
  await fleet.converge()
  expect(await fleet.names()).toEqual(['mode-0001'])
})

it('lists members made from older content as outdated', async () => {
  const fleet = await createFleet(server, 'old', { replicas: 2 })
  await fleet.converge()
  await fleet.patchSpec({ template: { spec: { size: 2 } } })
  const { outdated, counts } = await fleet.compare()
  expect(outdated.map(({ name, available }) => [name, available])).toEqual([
    ['old-0000', true],
    ['old-0001', true],
  ])
  expect(counts.updated).toBe(0)
})

it('rejects writes for an old generation, another uid or another leader', async () => {
  const fleet = await createFleet(server, 'guarded', { replicas: 1 })
  const ref = await fleet.ref()
  await fleet.patchSpec({ replicas: 2 })
  await expect(fleet.members.create(ref, ['guarded-0000'])).rejects.toMatchObject({ code: 409 })
  await expect(fleet.members.compare({ ...ref, uid: 'other' })).rejects.toMatchObject({
    code: 404,
  })
  const fence = { namespace: 'kube-system', name: 'gone', uid: 'x', number: 1 }
  const stale = server.planes.membersOf?.('root', fence)
  const current = await fleet.ref()
  await expect(stale?.create(current, ['guarded-0000'])).rejects.toMatchObject({ code: 409 })
  await expect(stale?.expire(current)).rejects.toMatchObject({ code: 409 })
  expect((await fleet.compare()).counts.members).toBe(0)
})

it('creates nothing if the transaction fails in the middle', async () => {
  const fleet = await createFleet(server, 'atomic', { replicas: 3 })
  await using database = openTestDatabase(server.databaseUrl)
  await database.pool.query(`
    create function reject_member() returns trigger language plpgsql as $$
    begin if new.group_name = 'atomic' then raise 'planned'; end if; return new; end $$`)
  await database.pool.query(
    'create trigger reject before insert on members for each row execute function reject_member()',
  )
  const { missing } = await fleet.compare()
  await expect(fleet.members.create(await fleet.ref(), missing)).rejects.toThrow('planned')
  expect(await clusterNamed('atomic-0000')).toBeUndefined()
  await database.pool.query('drop trigger reject on members')
  expect((await fleet.converge()).counts.members).toBe(3)
})

it('one invalid member does not block the others', async () => {
  const namespace = {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: '${name}-of-members' },
  }
  const fleet = await createFleet(server, 'partly', {
    replicas: 2,
    names: ['short', 'l'.repeat(53)],
    template: { objects: [namespace] },
  })
  const { missing } = await fleet.compare()
  const results = await fleet.members.create(await fleet.ref(), missing)
  expect(results.map(({ result }) => result)).toEqual(['created', 'failed'])
  expect(results[1]?.message).toContain('spec.template.objects[0].metadata.name')
})

it('a deleted fleet wants nothing and gives up claimed members too', async () => {
  const fleet = await createFleet(server, 'ended', { replicas: 2, deletionPolicy: 'Delete' })
  await fleet.converge()
  await fleet.post('claim', { holder: 'a' })
  expect((await fleet.api.remove('ended')).status).toBe(200)
  const { wanted, surplus } = await fleet.compare()
  expect(wanted).toBe(0)
  expect(surplus).toHaveLength(2)
  const results = await fleet.members.remove(
    await fleet.ref(),
    surplus.map(({ id }) => id),
    'Delete',
  )
  expect(results.map(({ result }) => result)).toEqual(['removed', 'removed'])
})
