import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideReport } from '../../src/hyperfleet/statuses/operations/decide-report.ts'
import {
  createSyncedVersions,
  type SyncedResource,
} from '../../src/hyperfleet/statuses/operations/synced-versions.ts'
import { createRegistry } from '../../src/store/registry/registry.ts'
import {
  at,
  replay,
  reportOf,
  reports,
  type ReportStep,
} from '../../src/hyperfleet/statuses/conditions/fixtures.ts'
import type { ReportInputs } from '../../src/hyperfleet/statuses/storage/report-inputs.ts'
import { kinds } from '../../src/hyperfleet/kinds/index.ts'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'

const REQUIRED = ['a', 'b']
const ADAPTERS = [...REQUIRED, 'a-b', 'aB']
const registry = createRegistry({
  hrefBase: BASE_PATH,
  kinds,
  specSchemas: new Map(kinds.map(({ kind }) => [kind, { type: 'object' }])),
  requiredAdapters: new Map([['Cluster', REQUIRED]]),
})

const step = fc
  .tuple(
    fc.constantFrom(...ADAPTERS),
    fc.constantFrom('True', 'False', 'Unknown', null),
    fc.constantFrom(1, 1, 1, 2),
  )
  .map(([adapter, available, generation]) => reports(adapter, available, generation))

/** Earlier reports, the one that finds the resource in sync, and others that follow. */
const history = fc.array(step, { minLength: 1, maxLength: 6 }).chain((steps) =>
  fc.record({
    steps: fc.constant(steps),
    proof: fc.constantFrom(...steps),
    more: fc.array(fc.constantFrom(...steps), { minLength: 1, maxLength: 4 }),
  }),
)

function inputsAfter(steps: readonly ReportStep[]): ReportInputs {
  const { generation, conditions, rows } = replay(REQUIRED, steps)
  const resource = { id: '2x', tenant: '', kind: 'Cluster', ownerId: '', generation, version: 1n }
  return {
    resource: { ...resource, conditions, requiredAdapters: null, deletedTime: null },
    updatedTime: at(0),
    states: [...rows.values()].map((status) => ({ ...status, rowVersion: 1 })),
  }
}

function decide(inputs: ReportInputs, report: ReportStep) {
  const request = { report: reportOf(report, 100), profile: 'lenient' } as const
  return decideReport({ registry, now: at(100) }, inputs, request)
}

describe('a resource in sync with its reports', () => {
  it('keeps its conditions when a stored report is repeated', () => {
    let checked = 0
    fc.assert(
      fc.property(history, ({ steps, proof, more }) => {
        const inputs = inputsAfter(steps)
        const first = decide(inputs, proof)
        if (!('isSynced' in first) || !first.isSynced) return
        for (const report of more) {
          const decision = decide(inputs, report)
          if ('discard' in decision || decision.stored === null) continue
          const { status, stored } = decision
          const isEqual = status.observedGeneration === stored.observedGeneration
          if (!isEqual || !isSame(status.conditions, stored.conditions)) continue
          checked += 1
          expect(decision).toMatchObject({ changesResource: false, finished: false })
          expect(status.available).toEqual(stored.available)
        }
      }),
      { numRuns: 1000 },
    )
    expect(checked).toBeGreaterThan(100)
  })
})

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}

it('keeps the synced versions of a limited number of resources', () => {
  const synced = createSyncedVersions(2)
  const at = (id: string, version: bigint): SyncedResource => {
    const fields = { tenant: '', kind: 'Cluster', ownerId: '', generation: 1 }
    return { id, ...fields, version, requiredAdapters: null }
  }
  const versions = () => ['1', '2', '3'].map((id) => synced.get(id)?.version ?? null)
  synced.record(at('1', 1n))
  synced.record(at('1', 2n))
  synced.record(at('2', 1n))
  expect(versions()).toEqual([2n, 1n, null])
  synced.record(at('3', 1n))
  expect(versions()).toEqual([null, 1n, 1n])
  synced.delete('2')
  expect(versions()).toEqual([null, null, 1n])
  synced.clear()
  expect(versions()).toEqual([null, null, null])
})
