import { isSameJson } from 'flotilla'
import {
  type ObjectEvent,
  type ObjectName,
  type PlaneClient,
  readOrNull,
  recordEvent,
} from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import type { Reservations } from './adopt-sandbox.ts'
import { claimExpiry } from './claim-expiry.ts'
import { ClaimProblem } from './claim-problem.ts'
import { type ClaimOutcome, claimStatus } from './claim-status.ts'
import { findClaimedSandbox } from './find-claimed-sandbox.ts'
import { ASSIGNED_ANNOTATION, SANDBOX_CLAIMS } from './pool-resources.ts'
import { provideSandbox } from './provide-sandbox.ts'
import { type SandboxClaim, sandboxClaimOf } from './sandbox-claim.ts'

/** Missing pools and templates are looked for again after this time. */
const RETRY_MS = 60_000

interface Parts {
  readonly client: PlaneClient
  readonly now: Date
  readonly reserved: Reservations
}

/** When a claim needs the next check, and the pool that it has taken a sandbox from. */
export interface ClaimResult {
  readonly checkAt: Date | null
  readonly usedPool: string | null
}

const NOTHING: ClaimResult = { checkAt: null, usedPool: null }

/** Gives a claim its sandbox, mirrors the state of the sandbox, and ends an expired claim. */
export async function reconcileClaim(parts: Parts, name: ObjectName): Promise<ClaimResult> {
  const { client, now } = parts
  const object = await readOrNull(client, SANDBOX_CLAIMS, name)
  if (!object || object.metadata.deletionTimestamp !== undefined) return NOTHING
  const claim = sandboxClaimOf(object)
  const expiry = claimExpiry(claim)
  if (expiry !== null && expiry <= now) {
    await endClaim(parts, claim)
    return NOTHING
  }
  const { outcome, usedPool } = await provide(parts, claim)
  await writeStatus(parts, claim, outcome)
  const retryAt = outcome.problem ? new Date(now.getTime() + RETRY_MS) : null
  return { checkAt: earlier(expiry, retryAt), usedPool }
}

interface Provision {
  readonly outcome: ClaimOutcome
  readonly usedPool: string | null
}

async function provide(parts: Parts, claim: SandboxClaim): Promise<Provision> {
  const { client, reserved } = parts
  try {
    const { sandbox, source, pool } = await provideSandbox(client, claim, reserved)
    const { name = '' } = sandbox.metadata
    if (source === 'adopted') {
      await report(parts, claim, {
        reason: 'SandboxAdopted',
        message: `Adopted warm pool Sandbox "${name}"`,
      })
    } else if (source === 'created') {
      await report(parts, claim, {
        reason: 'SandboxProvisioned',
        message: `Created Sandbox "${name}"`,
      })
    }
    const outcome = { sandbox, problem: null, isExpired: false }
    return { outcome, usedPool: pool }
  } catch (error) {
    if (!(error instanceof ClaimProblem)) throw error
    const outcome = { sandbox: null, problem: error, isExpired: false }
    return { outcome, usedPool: null }
  }
}

/** Deletes an expired claim with its sandbox, or its sandbox alone. */
async function endClaim(parts: Parts, claim: SandboxClaim): Promise<void> {
  const { client } = parts
  const { shutdownPolicy, namespace, name, uid } = claim
  if (shutdownPolicy === 'Retain') {
    const sandbox = await findClaimedSandbox(client, claim)
    if (sandbox) await deleteSandbox(client, sandbox)
    await writeStatus(parts, claim, { sandbox: null, problem: null, isExpired: true })
    return
  }
  await report(parts, claim, {
    reason: 'ClaimExpired',
    message: `Deleting Claim (ShutdownPolicy=${shutdownPolicy})`,
  })
  await client.delete(
    SANDBOX_CLAIMS,
    { namespace, name },
    {
      propagationPolicy: shutdownPolicy === 'DeleteForeground' ? 'Foreground' : 'Background',
      preconditions: { uid },
    },
  )
}

async function deleteSandbox(client: PlaneClient, { metadata }: ApiObject): Promise<void> {
  const { namespace = '', name = '', uid = '', deletionTimestamp } = metadata
  if (deletionTimestamp !== undefined) return
  await client.delete(SANDBOXES, { namespace, name }, { preconditions: { uid } })
}

async function writeStatus(
  { client, now }: Parts,
  claim: SandboxClaim,
  outcome: ClaimOutcome,
): Promise<void> {
  const status = claimStatus(claim, outcome, now)
  const assigned = outcome.sandbox?.metadata.name
  const object = await assign(client, claim.object, assigned)
  if (isSameJson(claim.status, status)) return
  await client.updateSubresource(SANDBOX_CLAIMS, 'status', { ...object, status })
}

/** Records the name of the sandbox in the annotation that clients of agent-sandbox read. */
async function assign(
  client: PlaneClient,
  claim: ApiObject,
  sandbox: string | undefined,
): Promise<ApiObject> {
  const { metadata } = claim
  if (sandbox === undefined || metadata.annotations?.[ASSIGNED_ANNOTATION] === sandbox) return claim
  const annotations = { ...metadata.annotations, [ASSIGNED_ANNOTATION]: sandbox }
  return client.update(SANDBOX_CLAIMS, { ...claim, metadata: { ...metadata, annotations } })
}

function report(
  { client, now }: Parts,
  { object }: SandboxClaim,
  { reason, message }: { readonly reason: string; readonly message: string },
): Promise<void> {
  const event: ObjectEvent = { type: 'Normal', reason, message }
  return recordEvent(client, object, event, { component: 'sandbox-claims', now })
}

function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}
