import type { Request, Response } from 'express'
import type { Authorizer } from '../../access/authorizer.ts'
import { requireAccess } from '../../http/auth/authorize.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { canonicalInstant } from '../../lib/instant.ts'
import type { ConditionStatus } from '../../store/model/condition.ts'
import type { ReportedCondition, SentReport } from '../statuses/model/report.ts'
import { reportStatus as report } from '../statuses/operations/report-status.ts'
import type { Profile } from '../statuses/validation/validation-input.ts'
import { serializeAdapterStatus } from '../wire/adapter-status.ts'
import { statusDryRunContext } from '../statuses/operations/status-context.ts'
import { adapterWarning } from '../warnings/report-warnings.ts'
import { addWarning } from '../warnings/warning-header.ts'
import { isDryRun } from './requests/dry-run.ts'
import type { VerbHandler } from './handler.ts'
import { leaseHeadersOf } from './responses/lease-headers.ts'
import { targetOf } from './requests/path-ids.ts'
import { setWriteToken } from './responses/write-token.ts'
import { DISCARDED_HEADER } from '../openapi/kind-paths.ts'

const METADATA_MEMBERS = [
  'job_name',
  'job_namespace',
  'attempt',
  'started_time',
  'completed_time',
  'duration',
]

/** The validated body. */
interface Body {
  readonly adapter: string
  readonly observed_generation?: number | null
  readonly observed_time?: string | null
  readonly conditions: readonly {
    readonly type: string
    readonly status: ConditionStatus
    readonly reason?: string | null
    readonly message?: string | null
  }[]
  readonly data?: JsonObject | null
  readonly metadata?: JsonObject | null
}

/** POST and PUT of a resource's `/statuses`, which differ only in their profile. */
export function reportStatus(profile: Profile): VerbHandler {
  return ({ operations, authorizer, metrics, onReport }, route) =>
    async (request, response) => {
      if (authorizer.isDetailed) await requireReport(authorizer, request, response)
      const context = isDryRun(request) ? statusDryRunContext(operations) : operations
      const outcome = await report(context, targetOf(request, response, route), {
        report: reportOf(request.body),
        profile,
        lease: leaseHeadersOf(request),
      })
      setWriteToken(request, response, operations)
      const { adapter }: Body = request.body
      const warning = adapterWarning(route.kind, outcome.resource, adapter)
      if (warning !== null) addWarning(response, warning)
      if ('discarded' in outcome) {
        if (!isDryRun(request)) metrics.reportDiscarded(outcome.discarded)
        response.status(204).set(DISCARDED_HEADER, outcome.discarded).end()
        return
      }
      if (!isDryRun(request)) {
        metrics.reportAccepted()
        const { kind } = route.kind
        const { tenant } = outcome.resource
        const { stored, latencyMs } = outcome
        onReport({ kind, tenant, adapter, time: stored.lastReportTime, latencyMs })
      }
      response.status(201).json(serializeAdapterStatus(outcome.stored))
    }
}

/** Callers may report as the adapters that their roles name. */
async function requireReport(
  authorizer: Authorizer,
  request: Request,
  response: Response,
): Promise<void> {
  const { adapter }: Body = request.body
  const access = { verb: 'report', resource: 'adapters', subresource: null } as const
  await requireAccess(authorizer, response, { ...access, name: adapter })
}

function reportOf(body: Body): SentReport {
  const { observed_generation: generation, observed_time: time } = body
  return {
    adapter: body.adapter,
    observedGeneration: generation ?? 0,
    observedTime: typeof time === 'string' ? canonicalInstant(time) : null,
    conditions: body.conditions.map(conditionOf),
    data: body.data ?? {},
    metadata: body.metadata ? knownMetadata(body.metadata) : null,
  }
}

/** Omits a null or absent reason and message. */
function conditionOf(condition: Body['conditions'][number]): ReportedCondition {
  const { type, status, reason, message } = condition
  return {
    type,
    status,
    ...(typeof reason === 'string' && { reason }),
    ...(typeof message === 'string' && { message }),
  }
}

function knownMetadata(metadata: JsonObject): JsonObject {
  const known = METADATA_MEMBERS.flatMap((member): [string, JsonValue][] => {
    const value = Object.hasOwn(metadata, member) ? metadata[member] : null
    return value === null || value === undefined ? [] : [[member, value]]
  })
  return Object.fromEntries(known)
}
