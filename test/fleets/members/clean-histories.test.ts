import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTcpProxy, type TcpProxy } from '../../storage/tcp-proxy.ts'
import { proofSize } from '../../support/proof-size.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { createFleet, openFleet, type TestFleet } from './member-fixtures.ts'

const LEASE_SECONDS = 60

let database: TestDatabase
let server: TestServer
/** The database of the controller that is killed. */
let proxy: TcpProxy
let killed: TestServer
let offsetMs = 0

beforeAll(async () => {
  const env = { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '[]' }
  const clock = (): Date => new Date(Date.now() + offsetMs)
  database = await createTestDatabase()
  proxy = await startTcpProxy(database.url)
  server = await startTestServer({ databaseUrl: database.url, env, clock })
  killed = await startTestServer({ databaseUrl: proxy.url, env, clock })
})
afterAll(async () => {
  await killed[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
  await proxy[Symbol.asyncDispose]()
  await database[Symbol.asyncDispose]()
})

type Step =
  | { readonly type: 'claim' | 'expire' | 'edit' | 'recreate' | 'recycle' }
  | { readonly type: 'replicas' | 'minReady'; readonly count: number }
  | { readonly type: 'release'; readonly pick: number; readonly policy: string }
  /** Both controllers work; one of them dies after this time. Null: it survives. */
  | { readonly type: 'control'; readonly killAfterMs: number | null }

function only<Type extends string>(...types: readonly Type[]) {
  return fc.record({ type: fc.constantFrom(...types) })
}

const COUNT = fc.integer({ min: 0, max: 3 })
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: only('claim') },
  { weight: 1, arbitrary: only('expire', 'edit', 'recreate', 'recycle') },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constantFrom('replicas' as const, 'minReady' as const),
      count: COUNT,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('release' as const),
      pick: fc.nat(100),
      policy: fc.constantFrom('Recycle', 'Recycle', 'Delete', 'Keep'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant('control' as const),
      killAfterMs: fc.option(fc.integer({ min: 0, max: 40 })),
    }),
  },
)

interface Held {
  readonly clusterID: string
  readonly claimID: string
}

/** A fleet of a name, which is deleted and created again in a history. */
class History {
  fleet: TestFleet
  readonly name: string
  readonly policy: string
  held: Held[] = []
  #author = { incarnation: 1, edit: 1 }
  #spec = { replicas: 2, minReady: 1 }
  #marks = 0

  constructor(name: string, policy: string) {
    this.name = name
    this.policy = policy
    this.fleet = openFleet(server, name)
  }

  async create(): Promise<void> {
    const { policy: scaleDownPolicy } = this
    const spec = { ...this.#spec, scaleDownPolicy, template: this.#template() }
    this.fleet = await createFleet(server, this.name, spec)
  }

  /** Each template writes one object, which names its author. */
  #template(): object {
    const { incarnation, edit } = this.#author
    const metadata = { name: 'seed', labels: { author: `${incarnation}.${edit}` } }
    return { objects: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata }] }
  }

  async take(step: Step): Promise<void> {
    switch (step.type) {
      case 'claim':
        return this.claim()
      case 'release':
        return this.#release(step.pick, step.policy)
      case 'expire':
        offsetMs += 2 * LEASE_SECONDS * 1000
        this.held = []
        return
      case 'edit':
        this.#author = { ...this.#author, edit: this.#author.edit + 1 }
        return this.fleet.patchSpec({ template: this.#template() })
      case 'recreate':
        return this.#recreate()
      case 'recycle':
        assert.equal((await this.fleet.post('recycle', {})).status, 200)
        return
      case 'replicas':
      case 'minReady':
        this.#spec = { ...this.#spec, [step.type]: step.count }
        return this.fleet.patchSpec(this.#spec)
      case 'control':
        await control(this.name, step.killAfterMs)
    }
  }

  /** Without `kept`, the plane has only what a template of this Fleet object has written. */
  async claim(): Promise<void> {
    const request = { holder: 'history', ttlSeconds: LEASE_SECONDS }
    const { status, body } = await this.fleet.post('claim', request)
    if (status === 409) return
    assert.equal(status, 200)
    const maps = `/clusters/${body.uid}/control-plane/api/v1/namespaces/default/configmaps`
    const { body: list } = await this.fleet.api.call('GET', maps)
    if (body.kept !== true) {
      const found = list.items.map(
        ({ metadata }: { metadata: { name: string; labels?: { author?: string } } }) =>
          metadata.labels?.author?.split('.')[0] ?? metadata.name,
      )
      assert.deepEqual(found, [String(this.#author.incarnation)])
    }
    this.#marks += 1
    const mark = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `mark-${this.#marks}` } }
    assert.equal((await this.fleet.api.call('POST', maps, mark)).status, 201)
    this.held.push(body)
  }

  async #release(pick: number, policy: string): Promise<void> {
    const [claimed] = this.held.splice(pick % Math.max(this.held.length, 1), 1)
    if (!claimed) return
    const { clusterID, claimID } = claimed
    const body = JSON.parse(
      JSON.stringify({ clusterID, claimID, policy }).replace('policy', 'then'),
    )
    // 409 if its lease ended before, and another client has claimed it since.
    assert.ok([200, 409].includes((await this.fleet.post('release', body)).status))
  }

  /** The members outlive the Fleet object. The controllers may be killed while they release them. */
  async #recreate(): Promise<void> {
    await this.fleet.api.remove(this.name, '?propagationPolicy=Orphan')
    const ref = await this.fleet.ref()
    for (;;) {
      const { surplus } = await this.fleet.members.compare(ref)
      if (surplus.length === 0) break
      const ids = surplus.map(({ id }) => id)
      await this.fleet.members.remove(ref, ids, 'Orphan')
    }
    await this.fleet.api.patch(this.name, { metadata: { finalizers: null } })
    this.held = []
    this.#author = { incarnation: this.#author.incarnation + 1, edit: 1 }
    await this.create()
  }
}

/** Two controllers reconcile the same fleet at the same time. */
async function control(name: string, killAfterMs: number | null): Promise<void> {
  const survivor = openFleet(server, name).converge().catch(ignoreLostRace)
  const victim = openFleet(killed, name)
    .converge()
    .catch(() => null)
  if (killAfterMs !== null) {
    await sleep(killAfterMs)
    proxy.set('refuse')
    await victim
    proxy.set('pass')
  }
  await Promise.all([survivor, victim])
}

/** The other controller has changed the same members; the next reconciliation continues. */
function ignoreLostRace(error: unknown): null {
  if (Object(error).code === 409) return null
  throw error
}

let runs = 0

it('without Keep, no claim ever sees an object that its own template has not written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 12, maxLength: 40 }),
      fc.constantFrom('Orphan', 'Orphan', 'Delete'),
      async (steps, policy) => {
        runs += 1
        const history = new History(`h${runs}x`, policy)
        await history.create()
        await history.fleet.converge()
        for (const step of steps) await history.take(step)
        await history.fleet.converge()
        await history.fleet.post('recycle', {})
        const { counts, unclean } = await history.fleet.converge()
        expect(unclean).toEqual([])
        for (let free = counts.available; free > 0; free -= 1) await history.claim()
      },
    ),
    { numRuns: proofSize(100) },
  )
}, 240_000)
