import { PreciseDate } from '../../../lib/precise-date.ts'
import type { ConditionStatus, ResourceCondition } from '../../../store/model/condition.ts'
import type { StatusRecord } from '../../../store/model/status-record.ts'
import type { Report } from '../model/report.ts'
import { initialConditions } from './synthesis/initial-conditions.ts'
import { validateReport, type Validation } from '../validation/validate-report.ts'
import { synthesize } from './synthesis/synthesize.ts'

export const KIND = {
  messages: {
    available: 'Cluster is accessible',
    ready: 'All adapters report ready at current generation',
  },
}

/** The instant this number of seconds after the test's epoch. */
export function at(seconds: number): Date {
  return new PreciseDate(Date.UTC(2026, 0, 1) + seconds * 1000, 0)
}

/** The adapter's clock, half a second behind the server's. */
export function observedAt(seconds: number): string {
  return new PreciseDate(at(seconds).getTime() - 500, 0).toISOString()
}

/** A report as a test vector describes it: one Available condition, or (null) only Health. */
export interface ReportStep {
  readonly op: 'report'
  readonly adapter: string
  readonly observed_generation: number
  readonly available: ConditionStatus | null
  /** Whether the report also has Finalized True. */
  readonly finalized?: boolean
}

export type Step = ReportStep | { readonly op: 'change-spec' } | { readonly op: 'delete' }

/** The report of a step at this second of the test. */
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

/** A resource and its reports in their stored form. */
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

/** The resource after a step, and its validation if the step is a report. */
export function take(
  held: Held,
  step: Step,
  seconds: number,
): { readonly held: Held; readonly validation: Validation | null } {
  if (step.op !== 'report') return { held: raise(held, step, seconds), validation: null }
  const validation = validateReport({
    report: reportOf(step, seconds),
    profile: 'lenient',
    stored: held.rows.get(step.adapter) ?? null,
    generation: held.generation,
    deleting: held.deleting,
    now: at(seconds),
  })
  if ('discard' in validation) return { held, validation }
  const stored = { ...held, rows: new Map(held.rows).set(step.adapter, validation.store) }
  const next = validation.recompute ? recompute(stored, 'report', seconds) : stored
  return { held: next, validation }
}

/** A spec change and the first deletion increment the generation. */
function raise(held: Held, { op }: Exclude<Step, ReportStep>, seconds: number): Held {
  if (op === 'delete' && held.deleting) return held
  const deleting = op === 'delete' || held.deleting
  return recompute({ ...held, deleting, generation: held.generation + 1 }, 'spec-change', seconds)
}

/** The resource after all steps, one per second. */
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

/** A step that reports Available with this status, or (null) only Health. */
export function reports(
  adapter: string,
  available: ConditionStatus | null,
  observed_generation = 1,
): ReportStep {
  return { op: 'report', adapter, observed_generation, available }
}

/** The same step with Finalized True. */
export function finalizes(...step: Parameters<typeof reports>): ReportStep {
  return { ...reports(...step), finalized: true }
}

export const SPEC_CHANGE: Step = { op: 'change-spec' }

export const DELETION: Step = { op: 'delete' }
