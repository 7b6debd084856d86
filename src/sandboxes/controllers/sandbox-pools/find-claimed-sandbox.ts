import type { PlaneClient } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import { controllerOf } from './controlled-sandbox.ts'
import { CLAIM_LABEL } from './pool-resources.ts'
import type { SandboxClaim } from './sandbox-claim.ts'

/**
 * The sandbox that a claim controls; null if it has none. The label is part of the write that gives
 * a sandbox to a claim, so a crash after that write is harmless.
 */
export async function findClaimedSandbox(
  client: PlaneClient,
  { namespace, uid }: SandboxClaim,
): Promise<ApiObject | null> {
  const selection = { namespace, labelSelector: `${CLAIM_LABEL}=${uid}` }
  for await (const { items } of client.pages(SANDBOXES, selection)) {
    const controlled = items.filter((sandbox) => controllerOf(sandbox)?.uid === uid)
    const [first] = controlled.toSorted(byDeletion)
    if (first) return first
  }
  return null
}

/** Sandboxes that are being deleted last. */
function byDeletion(one: ApiObject, other: ApiObject): number {
  const isDeleted = ({ metadata }: ApiObject) => Number(metadata.deletionTimestamp !== undefined)
  return isDeleted(one) - isDeleted(other)
}
