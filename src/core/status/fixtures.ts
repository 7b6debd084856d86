import type { ConditionStatus, ResourceCondition } from '../model/condition.ts'
import type { AdapterState, AdapterStatus, Report } from '../model/report.ts'
import { initialConditions } from './initial-conditions.ts'
import { judgeReport, type Judgement } from './judge-report.ts'
import type { ReportTime } from './reflect-times.ts'
import { synthesize } from './synthesize.ts'

export const KIND = {
  messages: {
    available: 'Cluster is accessible',
    ready: 'All adapters report ready at current generation',
  },
}

/** The instant so many seconds into the test's own time. */
export function at(seconds: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000)
}

/** The adapter's own clock, which runs half a second behind the server's. */
export function observedAt(seconds: number): string {
  return new Date(at(seconds).getTime() - 500).toISOString()
}

/** A report as a vector words it: one Available condition, or (null) only Health. */
export interface ReportStep {
  readonly op: 'report'
  readonly adapter: string
  readonly observed_generation: number
  readonly available: ConditionStatus | null
}

export type Step = ReportStep | { readonly op: 'change-spec' }

/** The report of a step taken so many seconds into the test. */
export function reportOf(step: ReportStep, seconds: number): Report {
  return {
    adapter: step.adapter,
    observedGeneration: step.observed_generation,
    observedTime: observedAt(seconds),
    conditions: [
      step.available === null
        ? { type: 'Health', status: 'True' }
        : { type: 'Available', status: step.available },
    ],
    data: {},
    metadata: null,
  }
}

/** A resource and its reports, as storage would hold them. */
export interface Held {
  readonly required: readonly string[]
  readonly generation: number
  readonly conditions: readonly ResourceCondition[]
  readonly rows: ReadonlyMap<string, AdapterStatus>
}

export function created(required: readonly string[]): Held {
  return { required, generation: 1, conditions: initialConditions(at(0)), rows: new Map() }
}

/** What a step makes of the resource; `judgement` is null for a spec change. */
export function take(
  held: Held,
  step: Step,
  seconds: number,
): { readonly held: Held; readonly judgement: Judgement | null } {
  if (step.op === 'change-spec') {
    const changed = { ...held, generation: held.generation + 1 }
    return { held: recompute(changed, 'spec-change', seconds), judgement: null }
  }
  const judgement = judgeReport({
    report: reportOf(step, seconds),
    stored: held.rows.get(step.adapter) ?? null,
    generation: held.generation,
    now: at(seconds),
  })
  if ('discard' in judgement) return { held, judgement }
  const stored = { ...held, rows: new Map(held.rows).set(step.adapter, judgement.store) }
  const next = judgement.recompute ? recompute(stored, 'report', seconds) : stored
  return { held: next, judgement }
}

/** The resource after all steps, one a second. */
export function replay(required: readonly string[], steps: readonly Step[]): Held {
  return steps.reduce((held, step, index) => take(held, step, index + 1).held, created(required))
}

export function recompute(held: Held, cause: 'report' | 'spec-change', seconds: number): Held {
  const { required, generation, conditions: previous } = held
  const reports = [...held.rows.values()]
  const now = at(seconds)
  const input = { kind: KIND, required, generation, previous, reports, cause, now }
  return { ...held, conditions: synthesize(input) }
}

export function reportTime({ adapter, available, lastReportTime }: AdapterState): ReportTime {
  return { adapter, availableGeneration: available?.observed_generation ?? null, lastReportTime }
}

/** A step that reports Available with this status, or only Health (null). */
export function reports(
  adapter: string,
  available: ConditionStatus | null,
  observed_generation = 1,
): ReportStep {
  return { op: 'report', adapter, observed_generation, available }
}

export const SPEC_CHANGE: Step = { op: 'change-spec' }
