import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { creation } from './fixtures.ts'
import { STOCK_ADAPTERS, type StockAdapter } from './stock-adapters.ts'
import {
  MAX_AGE_NOT_READY,
  type SentinelEvent,
  STOCK_SENTINELS,
  type StockSentinel,
} from './stock-sentinels.ts'
import { startTestServer, type TestServer } from './test-server.ts'

const SECOND = 1000
const POLL = 5 * SECOND
const MINUTE = 60 * SECOND

/** The required adapters of plain `npm start`. */
const ADAPTERS = {
  '/clusters': ['validator', 'dns', 'pullsecret', 'hypershift'],
  '/nodepools': ['validator', 'hypershift'],
} as const

type Collection = keyof typeof ADAPTERS

/** A resource, and the list in which a sentinel looks for it. */
interface Subject {
  readonly collection: Collection
  readonly id: string
}

async function create(server: TestServer, kind: string): Promise<{ id: string; href: string }> {
  const { body: cluster } = await server.post('/clusters', creation('Cluster'))
  if (kind === 'Cluster') return cluster
  return (await server.post(`/clusters/${cluster.id}/nodepools`, creation(kind))).body
}

/** A fleet with one sentinel and one kind of adapter, in simulated time. */
class Fleet {
  readonly #sentinel: StockSentinel
  readonly #adapter: StockAdapter
  now = Date.parse('2026-03-01T12:00:00.300Z')
  server!: TestServer

  constructor(sentinel: StockSentinel, adapter: StockAdapter) {
    this.#sentinel = sentinel
    this.#adapter = adapter
  }

  async start(): Promise<void> {
    this.server = await startTestServer({ clock: () => new Date(this.now) })
    const answer = await this.server.get(`/clusters?${this.#sentinel.connectivity}`)
    expect(answer.status, answer.text).toBe(200)
  }

  /** One poll after so long: the events of a resource. Its adapters act on them, but for a silent one. */
  async poll(
    { collection, id }: Subject,
    afterMs: number,
    silent = '',
  ): Promise<readonly SentinelEvent[]> {
    this.now += afterMs
    const published = await this.#sentinel.poll(this.server, collection, this.now)
    const events = published.filter((event) => event.id === id)
    for (const event of events) {
      for (const name of ADAPTERS[collection]) {
        this.now += 100
        if (name === silent) continue
        const answer = await this.#adapter.act(this.server, name, event, this.now)
        if (answer !== null) expect(answer.status, answer.text).toBe(201)
      }
    }
    return events
  }

  /** Polls from one change until shortly before the maximum age: one event. */
  async expectOneEvent(subject: Subject): Promise<void> {
    const counts: number[] = []
    for (const pause of [POLL, POLL, POLL, POLL, MINUTE, 10 * MINUTE, 18 * MINUTE]) {
      counts.push((await this.poll(subject, pause)).length)
    }
    expect(counts).toEqual([1, 0, 0, 0, 0, 0, 0])
  }
}

const PAIRS = STOCK_SENTINELS.flatMap((sentinel) =>
  STOCK_ADAPTERS.map((adapter) => ({
    sentinel,
    adapter,
    name: `sentinel ${sentinel.version}, adapters ${adapter.version}`,
  })),
)

describe.each(PAIRS)('with default settings, $name', ({ sentinel, adapter }) => {
  const fleet = new Fleet(sentinel, adapter)
  beforeAll(() => fleet.start())
  afterAll(() => fleet.server[Symbol.asyncDispose]())

  test.each<[Collection, string]>([
    ['/clusters', 'Cluster'],
    ['/nodepools', 'NodePool'],
  ])('create, patch and delete in %s complete with one event each', async (collection, kind) => {
    const { server } = fleet
    const { id, href } = await create(server, kind)
    const subject = { collection, id }
    const statusOf = async (type: string) => {
      const { conditions } = (await server.get(href)).body.status
      return conditions.find((condition: { type: string }) => condition.type === type).status
    }

    await fleet.expectOneEvent(subject)
    expect([await statusOf('Ready'), await statusOf('Reconciled')]).toEqual(['True', 'True'])
    // The maximum age brings one more.
    expect(await fleet.poll(subject, 3 * MINUTE)).toHaveLength(1)
    expect(await fleet.poll(subject, POLL)).toEqual([])

    fleet.now += MINUTE
    expect((await server.patch(href, { spec: { size: 2 } })).body.generation).toBe(2)
    await fleet.expectOneEvent(subject)
    expect([await statusOf('Ready'), await statusOf('Reconciled')]).toEqual(['True', 'True'])

    expect((await server.request('DELETE', href)).status).toBe(202)
    await fleet.expectOneEvent(subject)
    expect((await server.get(href)).status).toBe(404)
  })

  test('an adapter that has fallen silent costs an event per max age, not one per poll', async () => {
    const { id, href } = await create(fleet.server, 'Cluster')
    const subject = { collection: '/clusters', id } as const
    expect(await fleet.poll(subject, POLL)).toHaveLength(1)
    await fleet.server.patch(href, { spec: { size: 2 } })
    expect(await fleet.poll(subject, MAX_AGE_NOT_READY + SECOND, 'dns')).toHaveLength(1)
    let events = 0
    for (let turn = 0; turn < 12; turn += 1) {
      events += (await fleet.poll(subject, POLL, 'dns')).length
    }
    expect(events).toBeGreaterThan(3)
    expect(events).toBeLessThan(7)
  })
})

describe.each(STOCK_SENTINELS)('sentinel $version', (sentinel) => {
  test('sees all of 60 clusters in one turn', async () => {
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
