import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proofSize } from '../../support/proof-size.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { createFleet, type TestFleet } from './member-fixtures.ts'
import { MemberModel } from './member-model.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({
    env: { HYPERFLEET_CLUSTER_ADAPTERS: '[]', HYPERFLEET_NODEPOOL_ADAPTERS: '[]' },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

type Step =
  | { readonly type: 'replicas'; readonly count: number }
  | { readonly type: 'minReady'; readonly count: number }
  | { readonly type: 'names'; readonly letters: readonly string[] }
  | { readonly type: 'claim' }
  | { readonly type: 'release'; readonly pick: number; readonly policy: string }
  | { readonly type: 'delete' | 'unlabel'; readonly pick: number }
  | { readonly type: 'foreign'; readonly index: number }
  | { readonly type: 'converge' }

const count = fc.integer({ min: 0, max: 5 })
const pick = fc.nat(100)
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant('replicas' as const), count }) },
  fc.record({ type: fc.constant('minReady' as const), count }),
  fc.record({
    type: fc.constant('names' as const),
    letters: fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 }),
  }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant('claim' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('release' as const),
      pick,
      policy: fc.constantFrom('Recycle', 'Delete', 'Keep'),
    }),
  },
  fc.record({ type: fc.constantFrom('delete' as const, 'unlabel' as const), pick }),
  fc.record({ type: fc.constant('foreign' as const), index: fc.nat(5) }),
  { weight: 4, arbitrary: fc.record({ type: fc.constant('converge' as const) }) },
)

interface Run {
  readonly fleet: TestFleet
  readonly model: MemberModel
  /** Claim IDs by the names of members. */
  readonly claims: Map<string, string>
}

async function clusterId(name: string): Promise<string> {
  const { body } = await server.get(`/clusters?search=${encodeURIComponent(`name='${name}'`)}`)
  return body.items[0].id
}

async function take(run: Run, step: Step): Promise<void> {
  const { fleet, model, claims } = run
  switch (step.type) {
    case 'replicas':
      await respec(run, { ...model.spec, replicas: step.count, names: [] })
      return
    case 'minReady':
      await respec(run, { ...model.spec, minReady: step.count, names: [] })
      return
    case 'names': {
      const names = step.letters.map((letter) => `${fleet.name}-${letter}`)
      await respec(run, { replicas: names.length, minReady: 0, names })
      return
    }
    case 'claim': {
      const { status, body } = await fleet.post('claim', { holder: 'model' })
      if (status !== 200) return
      expect(model.members()).toContain(body.clusterID)
      model.set(body.clusterID, 'member', true)
      claims.set(body.clusterID, body.claimID)
      return
    }
    case 'release': {
      const [clusterID, claimID] = [...claims][step.pick % Math.max(claims.size, 1)] ?? []
      if (clusterID === undefined) return
      const policy = JSON.parse(`{"then": "${step.policy}"}`)
      expect((await fleet.post('release', { clusterID, claimID, ...policy })).status).toBe(200)
      claims.delete(clusterID)
      if (step.policy === 'Delete') model.clusters.delete(clusterID)
      else model.set(clusterID, 'member')
      return
    }
    case 'delete':
    case 'unlabel': {
      const name = [...model.clusters.keys()][step.pick % Math.max(model.clusters.size, 1)]
      if (name === undefined) return
      const path = `/clusters/${await clusterId(name)}`
      claims.delete(name)
      if (step.type === 'delete') {
        await server.request('DELETE', path)
        model.clusters.delete(name)
      } else {
        await server.patch(path, { labels: {} })
        model.set(name, 'foreign')
      }
      return
    }
    case 'foreign': {
      const name = `${fleet.name}-000${step.index}`
      const { status } = await server.post('/clusters', { kind: 'Cluster', name, spec: {} })
      if (status === 201) model.set(name, 'foreign')
      return
    }
    case 'converge':
      await converge(run)
  }
}

async function respec({ fleet, model }: Run, spec: MemberModel['spec']): Promise<void> {
  const { replicas, minReady, names } = spec
  model.spec = spec
  await fleet.patchSpec({
    replicas,
    minReady: names.length > 0 ? null : minReady,
    names: names.length > 0 ? names : null,
  })
}

async function converge({ fleet, model }: Run): Promise<void> {
  const { members } = await fleet.converge()
  model.converge()
  const found = members
    .filter(({ uid }) => uid !== undefined)
    .map(({ clusterID, claim }) => clusterID + (claim ? '!' : ''))
  expect(found.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(model.members())
}

let runs = 0

it('after every history, the members are those that the rules predict', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(STEP, { minLength: 4, maxLength: 16 }),
      fc.constantFrom('Orphan', 'Delete'),
      async (steps, scaleDownPolicy) => {
        runs += 1
        const name = `run${runs}x`
        const fleet = await createFleet(server, name, { replicas: 0, scaleDownPolicy })
        const model = new MemberModel(`${name}-`, scaleDownPolicy === 'Orphan')
        const run: Run = { fleet, model, claims: new Map() }
        for (const step of steps) await take(run, step)
        await converge(run)
      },
    ),
    { numRuns: proofSize(100) },
  )
}, 240_000)
