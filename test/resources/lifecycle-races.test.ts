import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defineKind, type Kind } from '../../src/store/registry/kind.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { conditionsFollow } from '../statuses/expected-conditions.ts'
import { creation } from '../support/fixtures.ts'
import { finalizing, fullReport, JSON_TYPE } from '../support/lifecycle.ts'
import { proofCases, proofSize } from '../support/proof-size.ts'
import type { TestResponse } from '../support/test-server.ts'
import { type Pair, startPair } from '../storage/two-servers.ts'

const CLIENTS = proofCases(
  Array.from({ length: 50 }, (_, index) => index),
  (client) => client < 20,
)
const CLUSTER_ADAPTERS = ['dns', 'validator']
const POOL_ADAPTERS = ['validator']

/** A kind with a parent and a cascading delete rule. */
function childKind(
  kind: string,
  plural: string,
  parent: string,
  requiredAdapters: readonly string[] = [],
): Kind {
  return defineKind({
    kind,
    plural,
    singular: kind.toLowerCase(),
    parent: { kind: parent, onDelete: 'cascade' },
    name: { minLength: 1, maxLength: 20 },
    spec: { type: 'object' },
    requiredAdapters,
    references: [],
    messages: { available: 'available', ready: 'ready' },
  })
}

let pair: Pair

beforeAll(async () => {
  pair = await startPair(
    {
      HYPERFLEET_CLUSTER_ADAPTERS: JSON.stringify(CLUSTER_ADAPTERS),
      HYPERFLEET_NODEPOOL_ADAPTERS: JSON.stringify(POOL_ADAPTERS),
    },
    [...kinds, childKind('Box', 'boxes', 'Cluster'), childKind('Part', 'parts', 'Box', ['parter'])],
  )
})
afterAll(() => pair[Symbol.asyncDispose]())

const send = (client: number, method: string, path: string, body?: unknown) =>
  pair.at(client).request(method, path, body)

const statusesOf = (responses: readonly TestResponse[]) =>
  [...new Set(responses.map(({ status }) => status))].toSorted((a, b) => a - b)

/** The numbers of the rounds of a race. */
const rounds = (full: number) => Array.from({ length: proofSize(full) }, (_, index) => index)

const countOf = (responses: readonly TestResponse[], status: number) =>
  responses.filter((response) => response.status === status).length

async function newCluster() {
  const { body } = await pair.at(0).post('/clusters', creation('Cluster'))
  return { id: String(body.id), item: `/clusters/${body.id}` }
}

async function newPool(item: string): Promise<string> {
  const { body } = await pair.at(1).post(`${item}/nodepools`, creation('NodePool'))
  return `/nodepools/${body.id}`
}

/** Counts the rows of a cluster, its children and their reports. */
async function rowsBelow(id: string): Promise<number> {
  const { rows } = await pair.query(
    `select count(*)::integer as count from resources left join adapter_statuses
     on resource_id = id where id = $1 or owner_id = $1`,
    [id],
  )
  return rows[0].count
}

describe('many clients', () => {
  it('that PATCH the same resource each increment the generation', async () => {
    const { item } = await newCluster()
    const responses = await Promise.all(
      CLIENTS.map((client) => send(client, 'PATCH', item, { spec: { client } })),
    )
    expect(statusesOf(responses)).toEqual([200])
    const generations = responses.map(({ body }) => body.generation)
    expect(generations.toSorted((a, b) => a - b)).toEqual(CLIENTS.map((client) => client + 2))
    const last = responses.find(({ body }) => body.generation === CLIENTS.length + 1)
    expect((await pair.at(0).get(item)).body).toEqual(last?.body)
  })

  it('that each merge a label into the same resource store all labels', async () => {
    const { item } = await newCluster()
    const responses = await Promise.all(
      CLIENTS.map((client) =>
        pair
          .at(client)
          .request(
            'PATCH',
            item,
            { labels: { [`client-${client}`]: 'x' } },
            { 'Content-Type': 'application/merge-patch+json' },
          ),
      ),
    )
    expect(statusesOf(responses)).toEqual([200])
    const { body } = await pair.at(0).get(item)
    expect(Object.keys(body.labels)).toHaveLength(CLIENTS.length)
    expect(body.generation).toBe(1)
  })

  it('that PATCH with the same If-Match get one 200 and otherwise 412', async () => {
    const { id, item } = await newCluster()
    const headers = { ...JSON_TYPE, 'If-Match': `"${id}.1"` }
    const responses = await Promise.all(
      CLIENTS.map((client) =>
        pair.at(client).request('PATCH', item, { spec: { client } }, headers),
      ),
    )
    expect(statusesOf(responses)).toEqual([200, 412])
    expect(countOf(responses, 200)).toBe(1)
    const winner = responses.find(({ status }) => status === 200)
    expect((await pair.at(0).get(item)).body).toEqual(winner?.body)
  })

  it('that PATCH or report concurrently lose neither changes nor reports', async () => {
    const { item } = await newCluster()
    const responses = await Promise.all(
      CLIENTS.map((client) =>
        client % 2 === 0
          ? send(client / 2, 'PATCH', item, { spec: { client } })
          : send(
              (client - 1) / 2,
              'POST',
              `${item}/statuses`,
              fullReport(`adapter-${client}`, 1, {
                available: client % 3 === 0 ? 'False' : 'True',
              }),
            ),
      ),
    )
    expect(statusesOf(responses)).toEqual([200, 201])
    const { body } = await pair.at(0).get(item)
    const statuses = await pair.at(1).get(`${item}/statuses?pageSize=100`)
    expect(body.generation).toBe(CLIENTS.length / 2 + 1)
    expect(statuses.body.total).toBe(CLIENTS.length / 2)
    expect(conditionsFollow(body, statuses.body.items, CLUSTER_ADAPTERS), body).toBe(true)
  })

  it('that DELETE the same resource increment its generation once', async () => {
    const { item } = await newCluster()
    await newPool(item)
    const responses = await Promise.all(CLIENTS.map((client) => send(client, 'DELETE', item)))
    expect(statusesOf(responses)).toEqual([202])
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1)
    expect(responses[0]?.body.generation).toBe(2)
  })

  it.each(rounds(4))(
    'that create children while their parent is deleted leave no live child (round %i)',
    async () => {
      const { id, item } = await newCluster()
      const creating = CLIENTS.map((client) =>
        send(client, 'POST', `${item}/nodepools`, creation('NodePool')),
      )
      const deleting = send(1, 'DELETE', item)
      const responses = await Promise.all(creating)
      expect((await deleting).status).toBe(202)
      for (const status of statusesOf(responses)) expect([201, 409]).toContain(status)
      const { rows } = await pair.query(
        `select count(*)::integer as children, count(deleted_time)::integer as deleted
         from resources where owner_id = $1`,
        [id],
      )
      const created = countOf(responses, 201)
      expect(rows).toEqual([{ children: created, deleted: created }])
    },
  )

  it.each(rounds(3))(
    'that create children while the last adapter finalizes leave no rows (round %i)',
    async () => {
      const { id, item } = await newCluster()
      await send(0, 'DELETE', item)
      await send(0, 'PUT', `${item}/statuses`, finalizing(2)('dns'))
      const [finalized, ...responses] = await Promise.all([
        send(1, 'PUT', `${item}/statuses`, finalizing(2)('validator')),
        ...CLIENTS.map((client) => send(client, 'POST', `${item}/nodepools`, creation('NodePool'))),
      ])
      expect(finalized?.status).toBe(201)
      for (const status of statusesOf(responses)) expect([404, 409]).toContain(status)
      expect(await rowsBelow(id)).toBe(0)
    },
  )

  it('that force-delete the same resource get one 204 and otherwise 404', async () => {
    const { id, item } = await newCluster()
    await newPool(item)
    await send(0, 'DELETE', item)
    const responses = await Promise.all(
      CLIENTS.map((client) =>
        send(client, 'POST', `${item}/force-delete`, { reason: `${client}` }),
      ),
    )
    expect(statusesOf(responses)).toEqual([204, 404])
    expect(countOf(responses, 204)).toBe(1)
    expect(await rowsBelow(id)).toBe(0)
    const { rows } = await pair.query('select reason from force_deletions where id = $1', [id])
    const winner = responses.findIndex(({ status }) => status === 204)
    expect(rows).toEqual([{ reason: `${winner}` }])
  })
})

it('a create waits for a concurrent deletion of its parent and is rejected', async () => {
  const { id, item } = await newCluster()
  await pair.query('begin')
  await pair.query('update resources set deleted_time = now() where id = $1', [id])
  const creating = pair.at(0).post(`${item}/nodepools`, creation('NodePool'))
  const first = await Promise.race([creating, sleep(300, 'waits')])
  await pair.query('commit')
  expect(first).toBe('waits')
  expect((await creating).status).toBe(409)
})

it('a deletion waits for a concurrent create and includes the new child', async () => {
  const { id, item } = await newCluster()
  await pair.query('begin')
  await pair.query('select id from resources where id = $1 for share', [id])
  const deleting = pair.at(0).request('DELETE', item)
  const first = await Promise.race([deleting, sleep(300, 'waits')])
  await pair.query(
    `insert into resources (id, kind, name, owner_id, generation, version, spec, labels,
       conditions, cond, created_time, updated_time, created_by, updated_by)
     select 'late-' || id, 'NodePool', 'late', id, 1, 1, spec, labels, conditions, cond,
       created_time, updated_time, created_by, updated_by
     from resources where id = $1`,
    [id],
  )
  await pair.query('commit')
  expect(first).toBe('waits')
  expect((await deleting).status).toBe(202)
  expect((await pair.at(1).get(`/nodepools/late-${id}`)).body).toMatchObject({
    generation: 2,
    deleted_time: expect.any(String),
  })
})

it('a deletion that waits while the last child is removed also removes the parent', async () => {
  const { item: cluster } = await newCluster()
  const box = await pair.at(0).post(`${cluster}/boxes`, { ...creation('Box'), spec: {} })
  const part = await pair
    .at(1)
    .post(`/boxes/${box.body.id}/parts`, { ...creation('Part'), spec: {} })
  await send(0, 'DELETE', `/parts/${part.body.id}`)
  await pair.query('begin')
  await pair.query('select id from resources where id = $1 for update', [box.body.id])
  const deleting = send(0, 'DELETE', `/boxes/${box.body.id}`)
  const first = await Promise.race([deleting, sleep(300, 'waits')])
  await pair.query('delete from resources where id = $1', [part.body.id])
  await pair.query('commit')
  expect(first).toBe('waits')
  expect((await deleting).status).toBe(202)
  expect((await pair.at(1).get(`/boxes/${box.body.id}`)).status).toBe(404)
})

describe('a deleted subtree', () => {
  it.each(rounds(6))(
    'is removed if all adapters finalize concurrently (round %i)',
    async (round) => {
      const { id, item } = await newCluster()
      const pools = await Promise.all(Array.from({ length: 6 }, () => newPool(item)))
      await send(0, 'DELETE', item)
      const clusterReports = CLUSTER_ADAPTERS.map((adapter, index) =>
        send(index + round, 'PUT', `${item}/statuses`, finalizing(2)(adapter)),
      )
      const poolReports = pools.map((pool, index) =>
        send(index, 'PUT', `${pool}/statuses`, finalizing(2)('validator')),
      )
      const responses = await Promise.all([...poolReports, ...clusterReports])
      expect(statusesOf(responses)).toEqual([201])
      expect(await rowsBelow(id)).toBe(0)
    },
  )

  it.each(rounds(3))(
    'is removed if its last children are finalized and force-deleted concurrently (round %i)',
    async () => {
      const { id, item } = await newCluster()
      const pools = await Promise.all(Array.from({ length: 6 }, () => newPool(item)))
      await send(0, 'DELETE', item)
      for (const adapter of CLUSTER_ADAPTERS) {
        await send(0, 'PUT', `${item}/statuses`, finalizing(2)(adapter))
      }
      const responses = await Promise.all(
        pools.map((pool, index) =>
          index % 2 === 0
            ? send(index / 2, 'POST', `${pool}/force-delete`, { reason: 'stuck' })
            : send(index, 'PUT', `${pool}/statuses`, finalizing(2)('validator')),
        ),
      )
      expect(statusesOf(responses)).toEqual([201, 204])
      expect(await rowsBelow(id)).toBe(0)
    },
  )
})

describe('a parent without required adapters', () => {
  it.each(rounds(30))(
    'is removed if it is deleted while its last child is removed (round %i)',
    async (round) => {
      const { item: cluster } = await newCluster()
      const box = await pair.at(0).post(`${cluster}/boxes`, { ...creation('Box'), spec: {} })
      const boxes = `/boxes/${box.body.id}`
      const part = await pair.at(1).post(`${boxes}/parts`, { ...creation('Part'), spec: {} })
      const parts = `/parts/${part.body.id}`
      await send(0, 'DELETE', parts)
      const [deleted, removed] = await Promise.all([
        send(0, 'DELETE', boxes),
        round % 2 === 0
          ? send(1, 'PUT', `${parts}/statuses`, finalizing(2)('parter'))
          : send(1, 'POST', `${parts}/force-delete`, { reason: 'stuck' }),
      ])
      expect([deleted.status, removed.status]).toEqual([202, round % 2 === 0 ? 201 : 204])
      expect((await pair.at(0).get(boxes)).status).toBe(404)
    },
  )
})

it('DELETE completes while the resources of the subtree change continuously', async () => {
  const { item } = await newCluster()
  const pools = await Promise.all(Array.from({ length: 60 }, () => newPool(item)))
  const until = new AbortController()
  const flipping = [0, 1, 2, 3].map(async (lane) => {
    for (let round = lane; !until.signal.aborted; round += 4) {
      const available = round % 8 < 4 ? 'True' : 'False'
      const report = fullReport('validator', 1, { available })
      await send(round, 'POST', `${pools[round % pools.length]}/statuses`, report)
    }
  })
  const deleted = await send(0, 'DELETE', item)
  until.abort()
  await Promise.all(flipping)
  expect(deleted.status).toBe(202)
  const { rows } = await pair.query(
    'select count(*)::integer as live from resources where owner_id = $1 and deleted_time is null',
    [deleted.body.id],
  )
  expect(rows).toEqual([{ live: 0 }])
})

describe('a batch of reports', () => {
  it('does not wait for a resource that another transaction has locked', async () => {
    const locked = await newCluster()
    const others = await Promise.all(Array.from({ length: 20 }, newCluster))
    const report = (item: string) => pair.at(0).post(`${item}/statuses`, fullReport('dns', 1))
    await pair.query('begin')
    await pair.query('select id from resources where id = $1 for update', [locked.id])
    const waiting = [report(locked.item), report(locked.item)]
    // The lock is held until all other reports have a response.
    const responses = await Promise.all(others.map(({ item }) => report(item)))
    expect(statusesOf(responses)).toEqual([201])
    await pair.query('commit')
    expect(statusesOf(await Promise.all(waiting))).toEqual([201])
  })

  it('rejects only the invalid reports', async () => {
    const { item } = await newCluster()
    const { item: deleted } = await newCluster()
    await send(0, 'DELETE', deleted)
    const sent = CLIENTS.map((client) => {
      if (client % 5 === 0)
        return pair.at(0).put('/clusters/nowhere/statuses', fullReport('dns', 1))
      if (client % 5 === 1) return pair.at(0).put(`${item}/statuses`, fullReport('dns', 7))
      if (client % 5 === 2) {
        return pair.at(0).put(`${deleted}/statuses`, fullReport(`a-${client}`, 2))
      }
      const old = { ...fullReport(`a-${client}`, 1), observed_time: '2020-01-01T00:00:00Z' }
      if (client % 5 === 3) return pair.at(0).put(`${item}/statuses`, old)
      return pair.at(0).put(`${item}/statuses`, fullReport(`a-${client}`, 1))
    })
    const responses = await Promise.all(sent)
    const expected = [404, 204, 201, 400, 201]
    expect(responses.map(({ status }) => status)).toEqual(
      CLIENTS.map((client) => expected[client % 5]),
    )
    expect((await pair.at(1).get(`${item}/statuses?pageSize=100`)).body.total).toBe(
      CLIENTS.length / 5,
    )
  })
})

it('a list contains only matches of its search while the resources change', async () => {
  // Without a cache, a second statement reads the rows of the page.
  await using pages = await startPair({}, kinds, { readCacheBytes: 0 })
  const items = await Promise.all(
    CLIENTS.slice(0, 15).map(async (client) => {
      const { body } = await pages.at(client).post('/clusters', creation('Cluster'))
      return `/clusters/${body.id}`
    }),
  )
  const tag = (round: number) =>
    pages
      .at(round)
      .patch(items[round % items.length] ?? '', { labels: { v: round % 2 ? 'A' : 'B' } })
  const until = new AbortController()
  const changing = [0, 1, 2, 3].map(async (lane) => {
    for (let round = lane; !until.signal.aborted; round += 4) await tag(round)
  })
  const listing = [0, 1].map(async (side) => {
    for (let round = 0; round < proofSize(250); round += 1) {
      const { body } = await pages.at(side).get("/clusters?search=labels.v='A'")
      for (const { labels } of body.items) expect(labels.v).toBe('A')
      expect(body.total).toBe(body.items.length)
    }
  })
  await Promise.all(listing)
  until.abort()
  await Promise.all(changing)
})

it('PostgreSQL has detected no deadlock in these tests', async () => {
  const { rows } = await pair.query(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  )
  expect(rows).toEqual([{ deadlocks: 0 }])
})
