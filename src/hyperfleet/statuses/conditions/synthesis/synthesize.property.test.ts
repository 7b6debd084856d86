import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { must } from '../../../../lib/assert.ts'
import { AGGREGATED_TYPES, type ResourceCondition } from '../../../../store/model/condition.ts'
import {
  at,
  created,
  DELETION,
  type Held,
  observedAt,
  recompute,
  replay,
  type ReportStep,
  SPEC_CHANGE,
  type Step,
  take,
} from '../fixtures.ts'
import { reflectTimes } from '../reflect-times.ts'
import { reportTimeOf } from '../../../../store/model/status-record.ts'
import { sameConditions } from '../same-conditions.ts'
import { proofSize } from '../../../../../test/support/proof-size.ts'

// Required are a and b; `a-b` and `aB` share one type.
const ADAPTERS = ['a', 'b', 'x', 'a-b', 'aB']
const required = fc.constantFrom(['a'], ['a', 'b'], ['a', 'b', 'aB'], [])
const available = fc.constantFrom('True', 'False', 'Unknown', null)

function report(generations: fc.Arbitrary<number>): fc.Arbitrary<ReportStep> {
  return fc.record({
    op: fc.constant('report'),
    adapter: fc.constantFrom(...ADAPTERS),
    observed_generation: generations,
    available,
    finalized: fc.boolean(),
  })
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: report(fc.integer({ min: 0, max: 4 })) },
  { weight: 1, arbitrary: fc.constantFrom(SPEC_CHANGE, DELETION) },
)
const steps = fc.array(step, { maxLength: 25, size: 'max' })

interface Moment {
  readonly step: Step
  readonly seconds: number
  readonly before: Held
  readonly after: Held
}

/** Checks every step of random histories. */
function always(check: (moment: Moment) => void): void {
  fc.assert(
    fc.property(required, steps, (names, history) => {
      let before = created(names)
      for (const [index, each] of history.entries()) {
        const seconds = index + 1
        const after = take(before, each, seconds).held
        check({ step: each, seconds, before, after })
        before = after
      }
    }),
    { numRuns: proofSize(300) },
  )
}

function find({ conditions }: Held, type: string): ResourceCondition {
  return must(
    conditions.find((condition) => condition.type === type),
    type,
  )
}

function requiredAvailable({ required: names, rows }: Held) {
  return names.map((name) => rows.get(name)?.available ?? null)
}

/** The expected condition, or null if the rule leaves it unchanged. */
function lastKnown(was: ResourceCondition, after: Held) {
  const reported = requiredAvailable(after)
  const current = reported.filter((available) => available !== null)
  const generations = current.map((available) => available.observed_generation)
  const newest = Math.max(...generations)
  if (current.length === 0 || current.length < reported.length) return null
  if (newest > after.generation) return null
  const allTrue = current.every(({ status }) => status === 'True')
  if (allTrue && Math.min(...generations) === newest) {
    return { status: 'True', observed_generation: newest }
  }
  const failed = current.some(
    ({ status, observed_generation: at }) => status === 'False' && at === was.observed_generation,
  )
  if (was.status === 'True' && !failed) return null
  return { status: 'False', observed_generation: newest }
}

function withoutUpdate({ last_updated_time: _updated, ...rest }: ResourceCondition) {
  return rest
}

function read({ conditions, required: names, generation, rows }: Held) {
  return reflectTimes({ conditions, generation }, names, [...rows.values()].map(reportTimeOf))
}

describe('after any sequence of reports', () => {
  it('Available reflects the common generation, and stays if there is none', () => {
    always(({ before, after }) => {
      const reported = requiredAvailable(after)
      const generations = new Set(reported.map((available) => available?.observed_generation))
      const [common] = generations
      if (generations.size === 1 && common !== undefined && common <= after.generation) {
        const isTrue = reported.every((available) => available?.status === 'True')
        expect(find(after, 'Available')).toMatchObject({
          status: isTrue ? 'True' : 'False',
          observed_generation: common,
        })
      } else {
        const [was, is] = [find(before, 'Available'), find(after, 'Available')]
        expect(withoutUpdate(is)).toEqual(withoutUpdate(was))
      }
    })
  })

  it('Ready is True if and only if all required adapters are True at the current generation', () => {
    always(({ after }) => {
      const reported = requiredAvailable(after)
      const isReady =
        reported.length > 0 &&
        reported.every((v) => v?.status === 'True' && v.observed_generation === after.generation)
      expect(find(after, 'Ready').status).toBe(isReady ? 'True' : 'False')
    })
  })

  it('Reconciled equals Ready, and during a deletion also needs all adapters finalized', () => {
    always(({ after }) => {
      const { required: names, rows, generation, deleting } = after
      const finalized = names.every((name) => {
        const row = rows.get(name)
        return row?.finalized === true && row.observedGeneration === generation
      })
      const isReady = find(after, 'Ready').status === 'True'
      const isReconciled = isReady && (!deleting || finalized)
      expect(find(after, 'Reconciled').status).toBe(isReconciled ? 'True' : 'False')
    })
  })

  it('LastKnownReconciled tracks the last generation that was True everywhere, until a False there', () => {
    always(({ before, after }) => {
      const [was, is] = [find(before, 'LastKnownReconciled'), find(after, 'LastKnownReconciled')]
      const expected = lastKnown(was, after)
      if (expected === null) expect(withoutUpdate(is)).toEqual(withoutUpdate(was))
      else expect(is).toMatchObject(expected)
    })
  })

  it('a transition time changes if and only if its status flips', () => {
    always(({ before, after, seconds }) => {
      for (const type of AGGREGATED_TYPES) {
        const [was, is] = [find(before, type), find(after, type)]
        const expected =
          was.status === is.status ? was.last_transition_time : at(seconds).toISOString()
        expect(is.last_transition_time).toBe(expected)
      }
      for (const [adapter, row] of after.rows) {
        const [was, is] = [before.rows.get(adapter)?.available, row.available]
        if (is === null) continue
        expect(is.last_transition_time).toBe(
          was?.status === is.status ? was.last_transition_time : observedAt(seconds),
        )
      }
    })
  })

  it('created_time never changes', () => {
    always(({ before, after }) => {
      for (const type of AGGREGATED_TYPES) {
        expect(find(after, type).created_time).toBe(find(before, type).created_time)
      }
      for (const [adapter, row] of before.rows) {
        expect(after.rows.get(adapter)?.createdTime).toBe(row.createdTime)
      }
    })
  })

  it('Ready and Reconciled have the time of the oldest current report, if any', () => {
    always(({ before, after }) => {
      const { required: names, rows, generation } = after
      const reporting = names.flatMap((name) => {
        const row = rows.get(name)
        const at = row?.available?.observed_generation
        return row !== undefined && at !== undefined && at <= generation
          ? [{ at, time: row.lastReportTime.toISOString() }]
          : []
      })
      const current = reporting.filter((report) => report.at === generation)
      const oldest = (all: typeof reporting) => all.map(({ time }) => time).toSorted()[0]
      for (const type of AGGREGATED_TYPES) {
        const isCurrent = type === 'Ready' || type === 'Reconciled'
        const expected = (isCurrent ? oldest(current) : undefined) ?? oldest(reporting)
        const shown = must(
          read(after).find((condition) => condition.type === type),
          type,
        )
        expect(shown.last_updated_time).toBe(expected ?? find(before, type).last_updated_time)
      }
    })
  })

  it('a read equals a recomputation at that moment', () => {
    always(({ after, seconds }) => {
      expect(read(after)).toEqual(recompute(after, 'report', seconds).conditions)
    })
  })

  it('a repeated report is a heartbeat', () => {
    always(({ step: each, after, seconds }) => {
      const again = take(after, each, seconds + 1).held
      if (each.op === 'report')
        expect(sameConditions(after.conditions, again.conditions)).toBe(true)
    })
  })
})

describe('the order in which adapters report at one generation', () => {
  const reportsAtOne = fc
    .integer({ min: 0, max: 4 })
    .chain((generation) => fc.array(report(fc.constant(generation)), { maxLength: 12 }))

  it('affects only LastKnownReconciled', () => {
    const arrivals = fc.tuple(steps, reportsAtOne).chain(([history, round]) =>
      fc.record({
        history: fc.constant(history),
        round: fc.constant(round),
        order: fc.shuffledSubarray([...round.keys()], { minLength: round.length }),
      }),
    )
    fc.assert(
      fc.property(required, arrivals, (names, { history, round, order }) => {
        const inOrder = replay(names, [...history, ...round])
        const reordered = replay(names, [...history, ...interleave(round, order)])
        expect(unremembered(reordered)).toEqual(unremembered(inOrder))
      }),
      { numRuns: proofSize(500) },
    )
  })
})

/** The same reports in another order of adapters; each adapter's own reports stay in order. */
function interleave(round: readonly ReportStep[], order: readonly number[]): readonly ReportStep[] {
  const queues = new Map(
    round.map(({ adapter }) => [adapter, round.filter((each) => each.adapter === adapter)]),
  )
  return order.map((index) => {
    const adapter = must(round[index], 'a report').adapter
    return must(queues.get(adapter)?.shift(), 'the next report of the adapter')
  })
}

/** Only LastKnownReconciled tracks a moment at which all were True, and not every order has one. */
function unremembered({ conditions }: Held) {
  return conditions.filter(({ type }) => type !== 'LastKnownReconciled').map(contentOf)
}

function contentOf({ type, status, reason, message, observed_generation }: ResourceCondition) {
  return { type, status, reason, message, observed_generation }
}
