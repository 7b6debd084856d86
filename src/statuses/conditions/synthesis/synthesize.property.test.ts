import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { must } from '../../../lib/assert.ts'
import { AGGREGATED_TYPES, type ResourceCondition } from '../../../core/model/condition.ts'
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
import { reportTimeOf } from '../../../core/model/status-record.ts'
import { sameConditions } from '../same-conditions.ts'

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
    { numRuns: 300 },
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

/** What the rule makes of the reports; null where it leaves the condition alone. */
function lastKnown(was: ResourceCondition, after: Held) {
  const verdicts = requiredAvailable(after)
  const counting = verdicts.filter((verdict) => verdict !== null)
  const generations = counting.map((verdict) => verdict.observed_generation)
  const newest = Math.max(...generations)
  if (counting.length === 0 || counting.length < verdicts.length) return null
  if (newest > after.generation) return null
  const allTrue = counting.every(({ status }) => status === 'True')
  if (allTrue && Math.min(...generations) === newest) {
    return { status: 'True', observed_generation: newest }
  }
  const failed = counting.some(
    ({ status, observed_generation: at }) => status === 'False' && at === was.observed_generation,
  )
  if (was.status === 'True' && !failed) return null
  return { status: 'False', observed_generation: newest }
}

function withoutUpdate({ last_updated_time: _updated, ...rest }: ResourceCondition) {
  return rest
}

function read({ conditions, required: names, generation, rows }: Held) {
  return reflectTimes(conditions, names, generation, [...rows.values()].map(reportTimeOf))
}

describe('whatever is reported', () => {
  it('Available is the verdict of a common generation, and else stays', () => {
    always(({ before, after }) => {
      const verdicts = requiredAvailable(after)
      const generations = new Set(verdicts.map((verdict) => verdict?.observed_generation))
      const [common] = generations
      if (generations.size === 1 && common !== undefined && common <= after.generation) {
        const isTrue = verdicts.every((verdict) => verdict?.status === 'True')
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

  it('Ready is True exactly where all required adapters are True at the generation', () => {
    always(({ after }) => {
      const verdicts = requiredAvailable(after)
      const isReady =
        verdicts.length > 0 &&
        verdicts.every((v) => v?.status === 'True' && v.observed_generation === after.generation)
      expect(find(after, 'Ready').status).toBe(isReady ? 'True' : 'False')
    })
  })

  it('Reconciled is Ready, and while deleting all have finalized too', () => {
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

  it('LastKnownReconciled tracks the last generation that all made True, until a False there', () => {
    always(({ before, after }) => {
      const [was, is] = [find(before, 'LastKnownReconciled'), find(after, 'LastKnownReconciled')]
      const expected = lastKnown(was, after)
      if (expected === null) expect(withoutUpdate(is)).toEqual(withoutUpdate(was))
      else expect(is).toMatchObject(expected)
    })
  })

  it('a transition time moves exactly when its status flips', () => {
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

  it('created_time never moves', () => {
    always(({ before, after }) => {
      for (const type of AGGREGATED_TYPES) {
        expect(find(after, type).created_time).toBe(find(before, type).created_time)
      }
      for (const [adapter, row] of before.rows) {
        expect(after.rows.get(adapter)?.createdTime).toBe(row.createdTime)
      }
    })
  })

  it('Ready and Reconciled are as old as the oldest report at the generation, if there is one', () => {
    always(({ before, after }) => {
      const { required: names, rows, generation } = after
      const counting = names.flatMap((name) => {
        const row = rows.get(name)
        const at = row?.available?.observed_generation
        return row !== undefined && at !== undefined && at <= generation
          ? [{ at, time: row.lastReportTime.toISOString() }]
          : []
      })
      const current = counting.filter((report) => report.at === generation)
      const oldest = (all: typeof counting) => all.map(({ time }) => time).toSorted()[0]
      for (const type of AGGREGATED_TYPES) {
        const isCurrent = type === 'Ready' || type === 'Reconciled'
        const expected = (isCurrent ? oldest(current) : undefined) ?? oldest(counting)
        const shown = must(
          read(after).find((condition) => condition.type === type),
          type,
        )
        expect(shown.last_updated_time).toBe(expected ?? find(before, type).last_updated_time)
      }
    })
  })

  it('a read shows what a recomputation at that moment would', () => {
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

describe('the order in which adapters arrive at one generation', () => {
  const reportsAtOne = fc
    .integer({ min: 0, max: 4 })
    .chain((generation) => fc.array(report(fc.constant(generation)), { maxLength: 12 }))

  it('does not matter to what the conditions say, but to LastKnownReconciled', () => {
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
      { numRuns: 500 },
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

/** LastKnownReconciled alone remembers a moment at which all were True, and not every order has one. */
function unremembered({ conditions }: Held) {
  return conditions.filter(({ type }) => type !== 'LastKnownReconciled').map(verdict)
}

function verdict({ type, status, reason, message, observed_generation }: ResourceCondition) {
  return { type, status, reason, message, observed_generation }
}
