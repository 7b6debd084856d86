import type { ConditionStatus, ResourceCondition } from '../../core/model/condition.ts'
import type { StatusRecord } from '../../core/model/status-record.ts'
import type { Report } from '../model/report.ts'
import { initialConditions } from './initial-conditions.ts'
import { validateReport, type Judgement } from './validate-report.ts'
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
  /** Whether it also says Finalized True. */
  readonly finalized?: boolean
}

export type Step = ReportStep | { readonly op: 'change-spec' } | { readonly op: 'delete' }

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
      ...(step.finalized === true ? [{ type: 'Finalized', status: 'True' } as const] : []),
    ],
    data: {},
    metadata: null,
  }
}

/** A resource and its reports, as storage would hold them. */
export interface Held {
  readonly required: readonly string[]
  readonly generation: number
  readonly deleting: boolean
  readonly conditions: readonly ResourceCondition[]
  readonly rows: ReadonlyMap<string, StatusRecord>
}

export function created(required: readonly string[]): Held {
  const conditions = initialConditions(at(0))
  return { required, generation: 1, deleting: false, conditions, rows: new Map() }
}

/** What a step makes of the resource; `judgement` is null where it is no report. */
export function take(
  held: Held,
  step: Step,
  seconds: number,
): { readonly held: Held; readonly judgement: Judgement | null } {
  if (step.op !== 'report') return { held: raise(held, step, seconds), judgement: null }
  const judgement = validateReport({
    report: reportOf(step, seconds),
    profile: 'lenient',
    stored: held.rows.get(step.adapter) ?? null,
    generation: held.generation,
    deleting: held.deleting,
    now: at(seconds),
  })
  if ('discard' in judgement) return { held, judgement }
  const stored = { ...held, rows: new Map(held.rows).set(step.adapter, judgement.store) }
  const next = judgement.recompute ? recompute(stored, 'report', seconds) : stored
  return { held: next, judgement }
}

/** A spec change and the first deletion raise the generation. */
function raise(held: Held, { op }: Exclude<Step, ReportStep>, seconds: number): Held {
  if (op === 'delete' && held.deleting) return held
  const deleting = op === 'delete' || held.deleting
  return recompute({ ...held, deleting, generation: held.generation + 1 }, 'spec-change', seconds)
}

/** The resource after all steps, one a second. */
export function replay(required: readonly string[], steps: readonly Step[]): Held {
  return steps.reduce((held, step, index) => take(held, step, index + 1).held, created(required))
}

export function recompute(held: Held, cause: 'report' | 'spec-change', seconds: number): Held {
  const { required, generation, deleting, conditions: previous } = held
  const reports = [...held.rows.values()]
  const now = at(seconds)
  const input = { kind: KIND, required, generation, deleting, previous, reports, cause, now }
  return { ...held, conditions: synthesize(input) }
}

/** A step that reports Available with this status, or only Health (null). */
export function reports(
  adapter: string,
  available: ConditionStatus | null,
  observed_generation = 1,
): ReportStep {
  return { op: 'report', adapter, observed_generation, available }
}

/** The same, saying Finalized True as well. */
export function finalizes(...step: Parameters<typeof reports>): ReportStep {
  return { ...reports(...step), finalized: true }
}

export const SPEC_CHANGE: Step = { op: 'change-spec' }

export const DELETION: Step = { op: 'delete' }
