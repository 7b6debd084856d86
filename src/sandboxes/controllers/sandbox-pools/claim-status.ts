import { isJsonObject, type JsonObject, type JsonValue, textOf } from 'flotilla'
import { type DecidedCondition, timedConditions } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { sandboxCondition } from './controlled-sandbox.ts'
import type { ClaimProblem } from './claim-problem.ts'
import type { SandboxClaim } from './sandbox-claim.ts'

/** The result of a reconciliation. */
export interface ClaimOutcome {
  readonly sandbox: ApiObject | null
  readonly problem: ClaimProblem | null
  readonly isExpired: boolean
}

/** The status of a claim: the conditions of its sandbox, or why it has none. */
export function claimStatus(
  { status, generation }: SandboxClaim,
  outcome: ClaimOutcome,
  now: Date,
): JsonObject {
  const { sandbox, problem } = outcome
  const finished = sandbox && sandboxCondition(sandbox, 'Finished')
  const decided = [readyCondition(outcome), ...(finished ? [mirrored(finished)] : [])]
  const before = Array.isArray(status['conditions']) ? status['conditions'] : []
  // Without a sandbox, the end of an expired claim's workload stays visible.
  const kept = finished || outcome.isExpired ? before : before.filter(isNotFinished)
  const podIPs = isJsonObject(sandbox?.['status']) ? sandbox['status']['podIPs'] : undefined
  const bound = sandbox
    ? { name: sandbox.metadata.name ?? '', ...(podIPs !== undefined && { podIPs }) }
    : {}
  const isBound = sandbox !== null || problem === null
  const shown = isBound ? bound : (status['sandbox'] ?? {})
  return {
    conditions: [...timedConditions(kept, decided, { now, generation })],
    sandbox: shown,
    observedGeneration: generation,
  }
}

function readyCondition({ sandbox, problem, isExpired }: ClaimOutcome): DecidedCondition {
  if (problem) return notReady(problem.reason, problem.message)
  if (isExpired) return notReady('ClaimExpired', 'Claim expired; its sandbox is deleted')
  if (!sandbox) return notReady('SandboxMissing', 'Sandbox does not exist')
  const ready = sandboxCondition(sandbox, 'Ready')
  if (!ready) return notReady('SandboxNotReady', 'Sandbox is not ready')
  if (ready['reason'] === 'SandboxExpired') {
    return notReady('SandboxExpired', 'The sandbox has expired before the claim')
  }
  return mirrored(ready)
}

function notReady(reason: string, message: string): DecidedCondition {
  return { type: 'Ready', status: 'False', reason, message }
}

function mirrored({ type, status, reason, message }: JsonObject): DecidedCondition {
  return {
    type: textOf(type),
    status: status === 'True' || status === 'False' ? status : 'Unknown',
    reason: textOf(reason),
    message: textOf(message),
  }
}

function isNotFinished(condition: JsonValue): boolean {
  return !isJsonObject(condition) || condition['type'] !== 'Finished'
}
