import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OwnerReference } from '../../../src/planes/model/api-object.ts'
import { startGarbageCollector } from '../../../src/planes/controllers/garbage-collection/garbage-collector.ts'
import { systemTimers } from '../../../src/planes/controllers/runtime/timers.ts'
import { startTestServer, type TestServer } from '../../support/test-server.ts'
import { openPlane, ownerOf, type PlaneFixture } from './plane-fixture.ts'
import { proofSize } from '../../support/proof-size.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

type Policy = 'Background' | 'Foreground' | 'Orphan'

/** A step of a history. Numbers select names and earlier objects. */
type Step =
  | {
      readonly type: 'create'
      readonly name: number
      readonly owners: readonly number[]
      readonly hasFinalizer: boolean
      readonly isBlocking: boolean
    }
  | { readonly type: 'delete'; readonly target: number; readonly policy: Policy }
  | { readonly type: 'restart' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('create' as const),
      name: fc.nat({ max: 12 }),
      owners: fc.array(fc.nat({ max: 1000 }), { maxLength: 3 }),
      hasFinalizer: fc.boolean(),
      isBlocking: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('delete' as const),
      target: fc.nat({ max: 1000 }),
      policy: fc.constantFrom<Policy>('Background', 'Foreground', 'Orphan'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
)

/** An object of the history, also after its deletion. */
interface Node {
  readonly uid: string
  readonly name: string
  /** Indexes of earlier nodes. */
  readonly owners: readonly number[]
  deletion: Policy | null
}

/** `either`: the outcome depends on the order of events. */
type Fate = 'exists' | 'gone' | 'either'

function fateOf(nodes: readonly Node[], index: number): Fate {
  const node = nodes[index]
  if (!node || node.deletion !== null) return 'gone'
  if (node.owners.length === 0) return 'exists'
  const owners = node.owners.map((owner) => ({
    fate: fateOf(nodes, owner),
    isOrphaning: nodes[owner]?.deletion === 'Orphan',
  }))
  if (owners.some(({ fate }) => fate === 'exists')) return 'exists'
  const isOpen = owners.some(({ fate, isOrphaning }) => fate === 'either' || isOrphaning)
  return isOpen ? 'either' : 'gone'
}

async function startCollector() {
  return startGarbageCollector({
    fleet: server.planes.client(),
    timers: systemTimers,
    random: Math.random,
    onError: (error) => console.error(error),
  })
}

async function applyStep(plane: PlaneFixture, nodes: Node[], each: Step): Promise<void> {
  if (each.type === 'delete') {
    const node = nodes[each.target % Math.max(1, nodes.length)]
    if (!node) return
    // The object may be gone already, or have a successor with another uid.
    const preconditions = { uid: node.uid }
    const isDeleted = await plane
      .deleteMap(node.name, { propagationPolicy: each.policy, preconditions })
      .then(() => true)
      .catch(() => false)
    // A later policy replaces an earlier one as long as finalizers delay the removal.
    if (isDeleted)
      node.deletion = each.policy === 'Orphan' ? each.policy : (node.deletion ?? each.policy)
    return
  }
  if (each.type === 'restart') return
  const name = `m${each.name}`
  // Owners are earlier objects: existing ones, and those that are gone or have a successor.
  const owners = nodes.length === 0 ? [] : [...new Set(each.owners.map((n) => n % nodes.length))]
  const references = owners.map((owner): OwnerReference => {
    const { name: ownerName, uid } = nodes[owner] ?? { name: '', uid: '' }
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: ownerName, uid } }
    return ownerOf(reference, { blockOwnerDeletion: each.isBlocking })
  })
  const finalizers = each.hasFinalizer ? ['example.com/wait'] : []
  try {
    const created = await plane.createMap(name, { owners: references, finalizers })
    nodes.push({ uid: created.metadata.uid ?? '', name, owners, deletion: null })
  } catch {
    // The name is in use.
  }
}

async function liveUids(plane: PlaneFixture): Promise<ReadonlySet<string>> {
  const uids = new Set<string>()
  for await (const page of plane.client.pages({ group: '', version: 'v1', plural: 'configmaps' })) {
    for (const { metadata } of page.items) uids.add(metadata.uid ?? '')
  }
  return uids
}

/** Removes the finalizers of all objects that are being deleted. */
async function releaseTerminating(plane: PlaneFixture): Promise<void> {
  for await (const page of plane.client.pages({ group: '', version: 'v1', plural: 'configmaps' })) {
    for (const { metadata } of page.items) {
      const { name = '', finalizers = [], deletionTimestamp } = metadata
      if (deletionTimestamp === undefined || !finalizers.includes('example.com/wait')) continue
      const left = finalizers.filter((finalizer) => finalizer !== 'example.com/wait')
      const body = {
        metadata: { finalizers: left, resourceVersion: metadata.resourceVersion ?? '' },
      }
      await plane.client
        .patch(
          { group: '', version: 'v1', plural: 'configmaps' },
          { namespace: 'default', name },
          { type: 'merge', body },
        )
        .catch(() => undefined)
    }
  }
}

test('R30: in random owner graphs nothing leaks, and nothing is deleted wrongly', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 60 }), async (steps) => {
      const plane = await openPlane(server)
      const nodes: Node[] = []
      let collector = await startCollector()
      try {
        for (const each of steps) {
          if (each.type === 'restart') {
            await collector[Symbol.asyncDispose]()
            collector = await startCollector()
          }
          await applyStep(plane, nodes, each)
        }
        const leaked = async (): Promise<readonly string[]> => {
          await releaseTerminating(plane)
          const live = await liveUids(plane)
          return nodes
            .filter(({ uid }, index) => live.has(uid) && fateOf(nodes, index) === 'gone')
            .map(({ name }) => name)
        }
        await expect.poll(leaked, { interval: 100 }).toEqual([])
        const live = await liveUids(plane)
        const missing = nodes.filter(
          ({ uid }, index) => !live.has(uid) && fateOf(nodes, index) === 'exists',
        )
        expect(missing).toEqual([])
      } finally {
        await collector[Symbol.asyncDispose]()
      }
    }),
    { numRuns: proofSize(12), endOnFailure: true },
  )
}, 300_000)
