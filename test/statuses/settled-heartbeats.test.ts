import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decideHeartbeat, decideReport } from '../../src/statuses/operations/decide-report.ts'
import { foldReports } from '../../src/statuses/operations/fold-reports.ts'
import { createSettledVersions } from '../../src/statuses/operations/settled-versions.ts'
import { createRegistry } from '../../src/core/registry/registry.ts'
import {
  at,
  replay,
  reportOf,
  reports,
  type ReportStep,
} from '../../src/statuses/conditions/fixtures.ts'
import type { PartialBasis, ReportBasis } from '../../src/statuses/storage/report-basis.ts'
import { kinds } from '../../src/apis/hyperfleet/kinds/index.ts'

const REQUIRED = ['a', 'b']
const ADAPTERS = [...REQUIRED, 'a-b', 'aB']
const registry = createRegistry({
  kinds,
  specSchemas: new Map(kinds.map(({ kind }) => [kind, { type: 'object' }])),
  requiredAdapters: new Map([['Cluster', REQUIRED]]),
})
const target = { tenant: null, kind: registry.byName('Cluster'), id: '2x', ownerId: null }

const step = fc
  .tuple(
    fc.constantFrom(...ADAPTERS),
    fc.constantFrom('True', 'False', 'Unknown', null),
    fc.constantFrom(1, 1, 1, 2),
  )
  .map(([adapter, available, generation]) => reports(adapter, available, generation))

/** What was reported, the report that shows the conditions settled, and more reports: many repeat. */
const history = fc
  .tuple(fc.array(step, { minLength: 1, maxLength: 6 }), fc.array(step, { maxLength: 2 }), fc.nat())
  .chain(([steps, others, start]) => {
    const repeated = steps[start % steps.length] ?? expect.unreachable()
    const more = fc.array(fc.constantFrom(...steps, ...others), { minLength: 1, maxLength: 4 })
    return fc.record({ steps: fc.constant(steps), proof: fc.constant(repeated), more })
  })

function basisAfter(steps: readonly ReportStep[]): ReportBasis {
  const { generation, conditions, rows } = replay(REQUIRED, steps)
  return {
    resource: {
      id: '2x',
      tenant: '',
      kind: 'Cluster',
      ownerId: '',
      generation,
      version: 1n,
      conditions,
      deletedTime: null,
    },
    states: [...rows.values()].map((status) => ({ ...status, revision: 1 })),
  }
}

/** As much of it as is read at a settled version. */
function partOf({ resource, states }: ReportBasis, adapters: readonly string[]): PartialBasis {
  return {
    resource: { ...resource, conditions: null },
    states: states.filter(({ adapter }) => adapters.includes(adapter)),
  }
}

function requestOf(report: ReportStep) {
  return { report: reportOf(report, 100), profile: 'lenient' } as const
}

/** Runs a check on many resources whose conditions are settled; it says whether it had one to make. */
function checkSettled(check: (basis: ReportBasis, more: readonly ReportStep[]) => boolean): void {
  let checked = 0
  fc.assert(
    fc.property(history, ({ steps, proof, more }) => {
      const basis = basisAfter(steps)
      const decision = decideReport(registry, basis, requestOf(proof), at(100))
      if ('settles' in decision && decision.settles && check(basis, more)) checked += 1
    }),
    { numRuns: 1000 },
  )
  expect(checked).toBeGreaterThan(100)
}

describe('a report at a settled version', () => {
  it('is decided by its row alone as it is by all of them', () => {
    checkSettled((basis, [report = expect.unreachable()]) => {
      const part = partOf(basis, [report.adapter])
      const quick = decideHeartbeat(part, requestOf(report), at(100))
      if (quick === null) return false
      const whole = decideReport(registry, basis, requestOf(report), at(100))
      if ('discard' in quick) expect(whole).toEqual(quick)
      else expect(whole).toMatchObject({ ...quick, changes: false, finished: false })
      return true
    })
  })

  it('is folded with others as it is on all rows, or leaves the batch in doubt', () => {
    checkSettled((basis, more) => {
      const entries = more.map((report) => ({ target, request: requestOf(report) }))
      const fold = (read: PartialBasis) =>
        foldReports(registry, new Map([['2x', read]]), entries, at(100))
      const adapters = more.map(({ adapter }) => adapter)
      const quick = fold(partOf(basis, adapters))
      if (quick.doubtful.length > 0) return false
      const { fates, rows, changing } = fold(basis)
      expect(quick).toMatchObject({ fates, rows, changing: [] })
      expect(changing).toEqual([])
      return true
    })
  })

  it('that says something new is in doubt', () => {
    const steps = REQUIRED.map((adapter) => reports(adapter, 'True'))
    const part = partOf(basisAfter(steps), ADAPTERS)
    const news = [reports('a', 'False'), reports('a', 'True', 2), reports('aB', 'True')]
    for (const report of news) {
      expect(decideHeartbeat(part, requestOf(report), at(100))).toBeNull()
    }
    expect(decideHeartbeat(part, requestOf(reports('a', 'True')), at(100))).not.toBeNull()
  })
})

it('settled versions are kept for so many resources', () => {
  const versions = createSettledVersions(2)
  versions.note('1', 1n)
  versions.note('1', 2n)
  versions.note('2', 1n)
  expect(['1', '2', '3'].map((id) => versions.of(id))).toEqual([2n, 1n, null])
  versions.note('3', 1n)
  expect(['1', '2', '3'].map((id) => versions.of(id))).toEqual([null, 1n, 1n])
  versions.clear()
  expect(versions.of('3')).toBeNull()
})
