import { FlotillaError, notFound } from '../../lib/errors.ts'
import { retry } from '../../lib/retry.ts'
import type { ResourceCondition } from '../model/condition.ts'
import type { AdapterState, AdapterStatus, Report } from '../model/report.ts'
import { type DiscardReason, judgeReport } from '../status/judge-report.ts'
import { sameConditions } from '../status/same-conditions.ts'
import { synthesize } from '../status/synthesize.ts'
import { type ReportBasis, readForReport } from '../storage/read-for-report.ts'
import { storeReport } from '../storage/store-report.ts'
import { touchReport } from '../storage/touch-report.ts'
import { isSerializationFailure } from '../storage/translate-database-error.ts'
import { type Context, WRITE_ATTEMPTS } from './context.ts'
import { keyOf, type Target } from './read-resource.ts'

const MAX_ADAPTERS = 100

export type ReportOutcome =
  | { readonly stored: AdapterStatus }
  | { readonly discarded: DiscardReason }

/**
 * Takes an adapter's report: reads the resource and its reports, decides, and writes where
 * nothing has changed meanwhile; otherwise once more. No report is lost to another one.
 */
export async function reportStatus(
  context: Context,
  target: Target,
  report: Report,
): Promise<ReportOutcome> {
  const outcome = await context.writes.run(target.id, () =>
    retry(WRITE_ATTEMPTS, null, () => attempt(context, target, report)),
  )
  if (outcome === null) {
    throw new FlotillaError(
      'SVC-001',
      'The resource is being written too often; send the report again',
    )
  }
  return outcome
}

/** Null where what was read has changed before it was written. */
async function attempt(
  context: Context,
  target: Target,
  report: Report,
): Promise<ReportOutcome | null> {
  const basis = await readForReport(context.database, keyOf(target), report.adapter)
  if (!basis) throw notFound(target.kind.kind, target.id)
  const { resource, states, stored } = basis
  const now = context.clock()
  const verdict = judgeReport({ report, stored, generation: resource.generation, now })
  if ('discard' in verdict) return { discarded: verdict.discard }
  if (stored === null && states.length >= MAX_ADAPTERS) throw tooManyAdapters(target)
  const conditions = verdict.recompute
    ? conditionsAfter(target, basis, verdict.store, now)
    : resource.conditions
  const written = await write(context, basis, verdict.store, conditions)
  return written ? { stored: verdict.store } : null
}

function conditionsAfter(
  { kind }: Target,
  { resource, states }: ReportBasis,
  status: AdapterStatus,
  now: Date,
): readonly ResourceCondition[] {
  const others: readonly AdapterState[] = states.filter(({ adapter }) => adapter !== status.adapter)
  return synthesize({
    kind,
    required: kind.requiredAdapters,
    generation: resource.generation,
    previous: resource.conditions,
    reports: [...others, status],
    cause: 'report',
    now,
  })
}

/** A known adapter whose report leaves the conditions as they are touches only its own row. */
async function write(
  { database }: Context,
  { resource, stored }: ReportBasis,
  status: AdapterStatus,
  conditions: readonly ResourceCondition[],
): Promise<boolean> {
  if (stored !== null && sameConditions(resource.conditions, conditions)) {
    return touchReport(database, resource.id, status, stored.revision)
  }
  try {
    const revision = stored?.revision ?? 0
    return await storeReport(database, { resource, conditions, status, revision })
  } catch (error) {
    if (isSerializationFailure(error)) return false
    throw error
  }
}

function tooManyAdapters({ kind, id }: Target): FlotillaError {
  return new FlotillaError(
    'CNF-003',
    `${kind.kind} with id='${id}' has reports of ${MAX_ADAPTERS} adapters, which is the most it takes`,
  )
}
