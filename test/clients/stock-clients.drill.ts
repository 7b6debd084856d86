import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creation } from '../support/fixtures.ts'
import { proofCases } from '../support/proof-size.ts'
import { STOCK_ADAPTERS, type StockAdapter } from './stock-adapters.ts'
import {
  MAX_AGE_NOT_READY,
  type SentinelEvent,
  STOCK_SENTINELS,
  type StockSentinel,
} from './stock-sentinels.ts'
import { startTestServer, type TestServer } from '../support/test-server.ts'

const SECOND = 1000
const POLL = 5 * SECOND
const MINUTE = 60 * SECOND

/** The required adapters with default settings. */
const ADAPTERS = {
  '/clusters': ['validator', 'dns', 'pullsecret', 'hypershift'],
  '/nodepools': ['validator', 'hypershift'],
} as const

type Collection = keyof typeof ADAPTERS

/** A resource and the list in which a sentinel finds it. */
interface Subject {
  readonly collection: Collection
  readonly id: string
}

async function create(server: TestServer, kind: string): Promise<{ id: string; href: string }> {
  const { body: cluster } = await server.post('/clusters', creation('Cluster'))
  if (kind === 'Cluster') return cluster
  return (await server.post(`/clusters/${cluster.id}/nodepools`, creation(kind))).body
}

/** A server with one sentinel and adapters of one version, in simulated time. */
interface Fleet {
  readonly sentinel: StockSentinel
  readonly adapter: StockAdapter
  readonly server: TestServer
  now: number
}

const NOON = Date.parse('2026-03-01T12:00:00.300Z')

/** Advances the time, polls once and lets all adapters except `silent` act. Returns the resource's events. */
async function poll(
  fleet: Fleet,
  { collection, id }: Subject,
  afterMs: number,
  silent = '',
): Promise<readonly SentinelEvent[]> {
  fleet.now += afterMs
  const published = await fleet.sentinel.poll(fleet.server, collection, fleet.now)
  const events = published.filter((event) => event.id === id)
  for (const event of events) {
    for (const name of ADAPTERS[collection]) {
      fleet.now += 100
      if (name === silent) continue
      const response = await fleet.adapter.act(fleet.server, name, event, fleet.now)
      if (response !== null) expect(response.status, response.text).toBe(201)
    }
  }
  return events
}

/** Counts the events of each poll, from the next one until shortly before the maximum age. */
async function eventsUntilMaxAge(fleet: Fleet, subject: Subject): Promise<readonly number[]> {
  const counts: number[] = []
  for (const pause of [POLL, POLL, POLL, POLL, MINUTE, 10 * MINUTE, 18 * MINUTE]) {
    counts.push((await poll(fleet, subject, pause)).length)
  }
  return counts
}

const ONE_EVENT = [1, 0, 0, 0, 0, 0, 0]

const PAIRS = STOCK_SENTINELS.flatMap((sentinel, row) =>
  STOCK_ADAPTERS.map((adapter, column) => ({
    sentinel,
    adapter,
    name: `sentinel ${sentinel.version}, adapters ${adapter.version}`,
    /** Contains each sentinel and each version of adapters. */
    isSample: row % STOCK_ADAPTERS.length === column,
  })),
)

describe.each(proofCases(PAIRS, ({ isSample }) => isSample))(
  'a server with default settings, $name',
  ({ sentinel, adapter }) => {
    let fleet: Fleet
    beforeAll(async () => {
      const server = await startTestServer({ clock: () => new Date(fleet?.now ?? NOON) })
      fleet = { sentinel, adapter, server, now: NOON }
    })
    afterAll(() => fleet.server[Symbol.asyncDispose]())

    test('passes the connectivity check of the sentinel', async () => {
      const response = await fleet.server.get(`/clusters?${sentinel.connectivity}`)
      expect(response, response.text).toMatchObject({ status: 200, body: { total: 0 } })
    })

    test.each<[Collection, string]>([
      ['/clusters', 'Cluster'],
      ['/nodepools', 'NodePool'],
    ])(
      'completes a create, a patch and a delete in %s with one event each',
      async (collection, kind) => {
        const { server } = fleet
        const { id, href } = await create(server, kind)
        const subject = { collection, id }
        const statusOf = async (type: string) => {
          const { conditions } = (await server.get(href)).body.status
          return conditions.find((condition: { type: string }) => condition.type === type).status
        }

        expect(await eventsUntilMaxAge(fleet, subject)).toEqual(ONE_EVENT)
        expect([await statusOf('Ready'), await statusOf('Reconciled')]).toEqual(['True', 'True'])
        // The maximum age causes one more event.
        expect(await poll(fleet, subject, 3 * MINUTE)).toHaveLength(1)
        expect(await poll(fleet, subject, POLL)).toEqual([])

        fleet.now += MINUTE
        expect((await server.patch(href, { spec: { size: 2 } })).body.generation).toBe(2)
        expect(await eventsUntilMaxAge(fleet, subject)).toEqual(ONE_EVENT)
        expect([await statusOf('Ready'), await statusOf('Reconciled')]).toEqual(['True', 'True'])

        expect((await server.request('DELETE', href)).status).toBe(202)
        expect(await eventsUntilMaxAge(fleet, subject)).toEqual(ONE_EVENT)
        expect((await server.get(href)).status).toBe(404)
      },
    )

    test('causes one event per maximum age, not per poll, while an adapter is silent', async () => {
      const { id, href } = await create(fleet.server, 'Cluster')
      const subject = { collection: '/clusters', id } as const
      expect(await poll(fleet, subject, POLL)).toHaveLength(1)
      await fleet.server.patch(href, { spec: { size: 2 } })
      expect(await poll(fleet, subject, MAX_AGE_NOT_READY + SECOND, 'dns')).toHaveLength(1)
      let events = 0
      for (let turn = 0; turn < 12; turn += 1) {
        events += (await poll(fleet, subject, POLL, 'dns')).length
      }
      expect(events).toBeGreaterThan(3)
      expect(events).toBeLessThan(7)
    })
  },
)

describe.each(STOCK_SENTINELS)('the sentinel $version', (sentinel) => {
  test('publishes events for all of 60 clusters in one poll', async () => {
    let now = Date.parse('2026-03-01T12:00:00.000Z')
    await using server = await startTestServer({ clock: () => new Date(now) })
    const created = await Promise.all(
      Array.from({ length: 60 }, () => server.post('/clusters', creation('Cluster'))),
    )
    now += POLL
    const events = await sentinel.poll(server, '/clusters', now)
    expect(new Set(events.map(({ id }) => id))).toEqual(new Set(created.map(({ body }) => body.id)))
    expect(events).toHaveLength(60)
  })
})
