import { preciseDateOf } from '../../src/lib/precise-date.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { newName, queryDatabase } from '../support/fixtures.ts'
import { proofSize } from '../support/proof-size.ts'
import { finalizing, fullReport, JSON_TYPE, reportAll } from '../support/lifecycle.ts'
import { sandbox } from '../sandbox/kind.ts'
import {
  createTree,
  expectedParts,
  latestSnapshotOf,
  linesOf,
  namesOf,
  partsOf,
  snapshotOf,
  statementCounts,
  statementsOf,
  withoutReportTimes,
} from './snapshot-requests.ts'
import { type TestResponse, startTestServer, type TestServer } from '../support/test-server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    env: {
      HYPERFLEET_CLUSTER_ADAPTERS: '["dns","validator"]',
      HYPERFLEET_NODEPOOL_ADAPTERS: '["validator","hypershift"]',
      CORS_ORIGINS: '*',
    },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

function expectViolation(answer: TestResponse, field: string, message: string): void {
  expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
  expect(answer.body.errors).toContainEqual(expect.objectContaining({ field }))
  expect(answer.body.detail).toContain(message)
}

describe('a snapshot', () => {
  let tree: Awaited<ReturnType<typeof createTree>>
  const name = newName()

  beforeAll(async () => {
    tree = await createTree(server, name, ['pool-a', 'pool-b', 'pool-c'])
  })

  test('has the cluster, its node pools and all reports, as in the lists', async () => {
    const answer = await latestSnapshotOf(server, tree.id)
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body)).toEqual([
      'cluster',
      'id',
      'snapshotTime',
      'resourceVersion',
      'liveResources',
      'resources',
    ])
    expect(answer.body).toMatchObject({ cluster: tree.id, id: tree.id, liveResources: 3 })
    expect(answer.body.resourceVersion).toMatch(/^[0-9a-f]{8}\.\d+$/)
    const expected = await expectedParts(server, tree.id)
    expect(withoutReportTimes(answer.body.resources)).toEqual(withoutReportTimes(expected))
    expect(partsOf(answer).get('statuses')?.itemCount).toBe(8)
  })

  test('has the times of reports', async () => {
    const answer = await latestSnapshotOf(server, tree.id)
    for (const { last_report_time: time } of partsOf(answer).get('statuses')?.items ?? []) {
      expect(preciseDateOf(time).toISOString()).toBe(time)
    }
  })

  test('is found by name, and at the path of the SDK', async () => {
    const expected = (await latestSnapshotOf(server, tree.id)).body.resources
    expect((await snapshotOf(server, name)).body).toMatchObject({
      cluster: name,
      id: tree.id,
      resources: expected,
    })
    for (const idOrName of [tree.id, name]) {
      const target = `${server.origin}/clusters/${idOrName}/control-plane/snapshot`
      const answer = await fetch(target)
      expect(answer.headers.get('x-snapshot-cluster')).toBe(tree.id)
      const body = { cluster: idOrName, id: tree.id, resources: expected }
      expect(await answer.json()).toMatchObject(body)
    }
  })

  test('has headers that browsers may read', async () => {
    const answer = await server.request('GET', `/clusters/${name}/snapshot`, undefined, {
      Origin: 'https://ui.example.com',
    })
    expect(answer.headers.get('x-snapshot-cluster')).toBe(tree.id)
    expect(answer.headers.get('x-snapshot-time')).toBe(answer.body.snapshotTime)
    expect(answer.headers.get('etag')).toMatch(/^"[\w-]{27}"$/)
    expect(answer.headers.get('access-control-expose-headers')).toContain(
      'X-Snapshot-Cluster, X-Snapshot-Time',
    )
  })

  test('has the requested parts, ordered by name', async () => {
    const of = async (query: string) => [
      ...partsOf(await snapshotOf(server, tree.id, query)).keys(),
    ]
    expect(await of('')).toEqual(['clusters', 'nodepools', 'statuses'])
    expect(await of('?resource=statuses,clusters')).toEqual(['clusters', 'statuses'])
    expect(await of('?resource=statuses&resource=nodepools')).toEqual(['nodepools', 'statuses'])
    expect(await of('?resource=nodepools,nodepools')).toEqual(['nodepools'])
    const { body } = await snapshotOf(server, tree.id, '?resource=clusters')
    expect(body.liveResources).toBe(3)
  })

  test('lists the known parts in the error for an unknown one', async () => {
    const answer = await snapshotOf(server, tree.id, '?resource=clusters,pods')
    const known = 'the known resources are clusters, nodepools, statuses, views'
    expectViolation(answer, 'resource', `resource: 'pods' is unknown; ${known}`)
  })

  test.each([
    ['includeEmpty=maybe', 'includeEmpty'],
    ['warm=1', 'warm'],
    ['warm=true&warm=true', 'warm'],
    ['watch=yes', 'watch'],
    ['minResourceVersion=7', 'minResourceVersion'],
    ['minResourceVersion=', 'minResourceVersion'],
  ])('rejects ?%s on both paths', async (query, field) => {
    const answer = await snapshotOf(server, tree.id, `?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'HYPERFLEET-VAL-000' } })
    expect(answer.body.detail).toContain(field)
    const target = `${server.origin}/clusters/${tree.id}/control-plane/snapshot?${query}`
    const atRoot = await fetch(target)
    expect(atRoot.status).toBe(400)
    expect(await atRoot.json()).toMatchObject({ errors: [{ field }] })
  })

  test('omits empty parts unless they are requested', async () => {
    const empty = await createTree(server, newName(), [])
    const some = await latestSnapshotOf(server, empty.id)
    expect([...partsOf(some).keys()]).toEqual(['clusters', 'statuses'])
    const all = await snapshotOf(server, empty.id, '?includeEmpty=true')
    expect([...partsOf(all).keys()]).toEqual(['clusters', 'nodepools', 'statuses'])
    expect(partsOf(all).get('nodepools')).toEqual({
      group: 'hyperfleet',
      resource: 'nodepools',
      synced: true,
      itemCount: 0,
      items: [],
    })
    const none = await snapshotOf(server, empty.id, '?resource=nodepools')
    expect(none.body).toMatchObject({ liveResources: 3, resources: [] })
  })

  test('does not create a missing cluster', async () => {
    for (const target of [
      `${BASE_PATH}/clusters/nowhere/snapshot?warm=true`,
      '/clusters/nowhere/control-plane/snapshot',
      '/clusters/%00/control-plane/snapshot',
      `/clusters/${tree.poolIds[0] ?? ''}/control-plane/snapshot`,
    ]) {
      const answer = await fetch(server.origin + target)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ code: 'HYPERFLEET-NTF-001' })
    }
    expect((await server.get("/clusters?search=name='nowhere'")).body.total).toBe(0)
  })

  test('rejects other methods, and unknown paths below it', async () => {
    const at = async (method: string, path: string) =>
      (await fetch(server.origin + path, { method })).status
    expect(await at('POST', `/clusters/${tree.id}/control-plane/snapshot`)).toBe(405)
    expect(await at('DELETE', `${BASE_PATH}/clusters/${tree.id}/snapshot`)).toBe(405)
    expect(await at('GET', `${BASE_PATH}/snapshots`)).toBe(405)
    expect(await at('GET', `/clusters/${tree.id}/control-plane/snapshots`)).toBe(404)
    expect(await at('GET', `/nodepools/${tree.poolIds[0] ?? ''}/control-plane/snapshot`)).toBe(404)
    expect(await at('HEAD', `/clusters/${tree.id}/control-plane/snapshot`)).toBe(200)
  })

  test('runs no statement when the subtree is cached', async () => {
    const atRoot = `${server.origin}/clusters/${name}/control-plane/snapshot?resource=statuses`
    await snapshotOf(server, tree.id)
    await fetch(atRoot)
    const statements = await statementsOf(server, async () => {
      for (let round = 0; round < proofSize(100); round += 1) {
        await snapshotOf(server, round % 2 === 0 ? tree.id : name, '?warm=true')
        await fetch(atRoot)
        await linesOf(server, { ids: [tree.id, name], resource: 'statuses' })
      }
    })
    expect(statements).toEqual([])
    expect(await statementsOf(server, () => server.get(tree.item))).toEqual(['read_resource'])
  })

  test('is read once for concurrent requests', async () => {
    const other = await createTree(server, newName(), ['pool-a'])
    const before = (await statementCounts(server)).get('read_subtree') ?? 0
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => snapshotOf(server, other.id, '?warm=true')),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await statementCounts(server)).get('read_subtree')).toBe(before + 1)
  })
})

describe('the entity tag of a snapshot', () => {
  const tagOf = async (id: string, query = '') =>
    (await snapshotOf(server, id, `?minResourceVersion=latest&warm=true${query}`)).headers.get(
      'etag',
    ) ?? ''

  test('results in 304 with headers until something changes', async () => {
    const tree = await createTree(server, newName(), ['pool-a'])
    const etag = await tagOf(tree.id)
    const path = `/clusters/${tree.id}/snapshot`
    const known = await server.request('GET', path, undefined, { 'If-None-Match': etag })
    expect(known).toMatchObject({ status: 304, text: '' })
    expect(known.headers.get('etag')).toBe(etag)
    expect(known.headers.get('x-snapshot-cluster')).toBe(tree.id)
    expect(known.headers.get('x-snapshot-time')).not.toBeNull()
    const later = await server.request('GET', path, undefined, { 'If-None-Match': '"other"' })
    expect(later.status).toBe(200)

    await server.patch(tree.item, { labels: { changed: 'yes' } })
    const changed = await server.request('GET', `${path}?minResourceVersion=latest`, undefined, {
      'If-None-Match': etag,
    })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('etag')).not.toBe(etag)
  })

  test('depends on the requested parts', async () => {
    const tree = await createTree(server, newName(), ['pool-a'])
    const tags = await Promise.all(
      ['', '&resource=clusters', '&resource=statuses', '&includeEmpty=true'].map((query) =>
        tagOf(tree.id, query),
      ),
    )
    expect(new Set(tags).size).toBe(4)
    await server.patch(`/nodepools/${tree.poolIds[0]}`, { labels: { a: 'b' } })
    expect(await tagOf(tree.id, '&resource=clusters')).toBe(tags[1])
    expect(await tagOf(tree.id)).not.toBe(tags[0])
  })

  test('does not change with heartbeats', async () => {
    const tree = await createTree(server, newName(), [])
    const etag = await tagOf(tree.id)
    await reportAll(server, tree.item, ['dns', 'validator'], (adapter) => fullReport(adapter, 1))
    expect(await tagOf(tree.id)).toBe(etag)
    await reportAll(server, tree.item, ['dns'], (adapter) =>
      fullReport(adapter, 1, { available: 'False' }),
    )
    expect(await tagOf(tree.id)).not.toBe(etag)
  })
})

describe('the lifecycle of a cluster', () => {
  test('is visible in its snapshots', async () => {
    const name = newName()
    const tree = await createTree(server, name, ['pool-a', 'pool-b'])
    expect(namesOf(await latestSnapshotOf(server, tree.id), 'nodepools')).toEqual([
      'pool-a',
      'pool-b',
    ])
    await server.post(`${tree.item}/nodepools`, { kind: 'NodePool', name: 'pool-c', spec: {} })
    expect(namesOf(await latestSnapshotOf(server, tree.id), 'nodepools')).toHaveLength(3)

    const [first = ''] = tree.poolIds
    await server.request('DELETE', `/nodepools/${first}`)
    const deleting = await latestSnapshotOf(server, tree.id)
    expect(partsOf(deleting).get('nodepools')?.items[0].deleted_time).toBeDefined()
    await reportAll(server, `/nodepools/${first}`, ['validator', 'hypershift'], finalizing(2))
    const without = await latestSnapshotOf(server, tree.id)
    expect(namesOf(without, 'nodepools')).toEqual(['pool-b', 'pool-c'])
    expect(partsOf(without).get('statuses')?.itemCount).toBe(4)

    await server.request('DELETE', tree.item)
    const marked = await latestSnapshotOf(server, tree.id)
    expect(partsOf(marked).get('clusters')?.items[0].deleted_time).toBeDefined()
    expect((await snapshotOf(server, name)).status).toBe(404)
    const forced = await server.request(
      'POST',
      `${tree.item}/force-delete`,
      { reason: 'gone' },
      JSON_TYPE,
    )
    expect(forced.status).toBe(204)
    expect((await latestSnapshotOf(server, tree.id)).status).toBe(404)
  })

  test('ends before another cluster takes its name', async () => {
    const name = newName()
    const first = await createTree(server, name, [])
    await latestSnapshotOf(server, name)
    await server.request('DELETE', first.item)
    const second = await createTree(server, name, ['pool-z'])
    const byName = await latestSnapshotOf(server, name)
    expect(byName.body.id).toBe(second.id)
    expect((await snapshotOf(server, first.id)).body.cluster).toBe(first.id)
    expect(namesOf(byName, 'nodepools')).toEqual(['pool-z'])
  })

  test('is not affected by dry runs', async () => {
    const tree = await createTree(server, newName(), ['pool-a'])
    const before = await latestSnapshotOf(server, tree.id)
    await server.patch(`${tree.item}?dryRun=All`, { labels: { a: 'b' } })
    await server.post(`${tree.item}/nodepools?dryRun=All`, {
      kind: 'NodePool',
      name: 'pool-x',
      spec: {},
    })
    await server.request('DELETE', `${tree.item}?dryRun=All`)
    const after = await latestSnapshotOf(server, tree.id)
    expect(after.body.resources).toEqual(before.body.resources)
    expect(after.headers.get('etag')).toBe(before.headers.get('etag'))
  })

  test('continues in a new epoch', async () => {
    const tree = await createTree(server, newName(), ['pool-a'])
    const { body } = await latestSnapshotOf(server, tree.id)
    await queryDatabase(server, "update head set epoch = 'ffffffff'")
    await server.patch(tree.item, { labels: { epoch: 'second' } })
    const after = await latestSnapshotOf(server, tree.id)
    expect(after.body.resourceVersion).toMatch(/^ffffffff\./)
    expect(after.body.resources[0].items[0].labels).toEqual({ epoch: 'second' })
    const old = await snapshotOf(server, tree.id, `?minResourceVersion=${body.resourceVersion}`)
    expect(old).toMatchObject({ status: 410, body: { code: 'HYPERFLEET-CNF-004' } })
  })
})

describe('minResourceVersion', () => {
  test('includes a write of the caller on the same server with any token', async () => {
    const tree = await createTree(server, newName(), [])
    const { body } = await latestSnapshotOf(server, tree.id)
    for (let round = 0; round < 20; round += 1) {
      await server.patch(tree.item, { labels: { round: String(round) } })
      const answer = await snapshotOf(
        server,
        tree.id,
        `?minResourceVersion=${body.resourceVersion}`,
      )
      expect(answer.body.resources[0].items[0].labels).toEqual({ round: String(round) })
    }
  })

  test('results in 504 if the version is not reached in time', async () => {
    const tree = await createTree(server, newName(), [])
    const { body } = await latestSnapshotOf(server, tree.id)
    const [epoch] = body.resourceVersion.split('.')
    const answer = await snapshotOf(server, tree.id, `?minResourceVersion=${epoch}.999999999`)
    expect(answer).toMatchObject({ status: 504, body: { code: 'HYPERFLEET-SVC-002' } })
  })
})

describe('a snapshot with more kinds', () => {
  test('has their parts, which can be requested', async () => {
    await using wider = await startTestServer({ kinds: [...kinds, sandbox] })
    const { id, item } = await createTree(wider, newName(), [])
    await wider.post(`${item}/sandboxes`, {
      kind: 'Sandbox',
      name: 'box',
      spec: { image: 'alpine' },
    })
    const answer = await latestSnapshotOf(wider, id)
    expect(answer.body.liveResources).toBe(4)
    expect([...partsOf(answer).keys()]).toEqual(['clusters', 'sandboxes', 'statuses'])
    expect(namesOf(await snapshotOf(wider, id, '?resource=sandboxes'), 'sandboxes')).toEqual([
      'box',
    ])
  })
})
