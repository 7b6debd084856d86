import { isJsonObject } from 'flotilla'
import { isConflict, isObjectNotFound, type PlaneClient } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import { controllerOf, createdAt, isReady, ownerReference } from './controlled-sandbox.ts'
import { mergePodMetadata } from './merge-pod-metadata.ts'
import { CLAIM_LABEL, LAUNCH_LABEL, POOL_LABEL, TEMPLATE_HASH_LABEL } from './pool-resources.ts'
import type { SandboxClaim } from './sandbox-claim.ts'
import { withPodMetadata } from './sandbox-manifest.ts'
import type { SandboxTemplate } from './sandbox-template.ts'
import type { WarmPool } from './warm-pool.ts'

interface Adoption {
  readonly claim: SandboxClaim
  readonly pool: WarmPool
  readonly template: SandboxTemplate
  readonly reserved: Reservations
}

/** Adoptions in progress in this process, by the UID of the sandbox. They never reject. */
export type Reservations = Map<string, Promise<void>>

/** Only sandboxes that change all the time need more passes. */
const MAX_PASSES = 20

/**
 * Gives a waiting sandbox of a pool to a claim; null if the pool has none. One conditional write
 * changes owner and labels. If another claim was faster, the next sandbox is tried. A conflict can
 * also come from a report of the sandbox, so the pool is read again until no candidate is contested.
 */
export async function adoptSandbox(
  client: PlaneClient,
  adoption: Adoption,
): Promise<ApiObject | null> {
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const { sandbox, contested } = await adoptOnce(client, adoption)
    if (sandbox !== null || contested === 0) return sandbox
  }
  return null
}

interface Pass {
  readonly sandbox: ApiObject | null
  /** Candidates that another write has changed, or that another claim is about to adopt. */
  readonly contested: number
}

async function adoptOnce(
  client: PlaneClient,
  { claim, pool, template, reserved }: Adoption,
): Promise<Pass> {
  const waiting: Promise<void>[] = []
  let conflicts = 0
  for (const sandbox of await candidates(client, pool)) {
    const { name = '', uid = '' } = sandbox.metadata
    const other = reserved.get(uid)
    if (other !== undefined) {
      waiting.push(other)
      continue
    }
    const attempt = client.update(SANDBOXES, adopted(sandbox, claim, template))
    const ended = attempt.then(
      () => undefined,
      () => undefined,
    )
    reserved.set(uid, ended)
    try {
      return { sandbox: await attempt, contested: 0 }
    } catch (error) {
      if (isConflict(error)) conflicts += 1
      else if (!isObjectNotFound(error, name)) throw error
    } finally {
      reserved.delete(uid)
    }
  }
  await Promise.all(waiting)
  return { sandbox: null, contested: conflicts + waiting.length }
}

/** Ready sandboxes first, then the oldest. */
async function candidates(
  client: PlaneClient,
  { namespace, selector, uid }: WarmPool,
): Promise<readonly ApiObject[]> {
  const found: ApiObject[] = []
  for await (const { items } of client.pages(SANDBOXES, { namespace, labelSelector: selector })) {
    found.push(...items)
  }
  return found
    .filter((sandbox) => controllerOf(sandbox)?.uid === uid)
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .toSorted(
      (one, other) =>
        Number(isReady(other)) - Number(isReady(one)) || createdAt(one) - createdAt(other),
    )
}

function adopted(sandbox: ApiObject, claim: SandboxClaim, template: SandboxTemplate): ApiObject {
  const { metadata, spec } = sandbox
  const { [POOL_LABEL]: _pool, [TEMPLATE_HASH_LABEL]: _hash, ...labels } = metadata.labels ?? {}
  return {
    ...sandbox,
    metadata: {
      ...metadata,
      labels: { ...labels, [LAUNCH_LABEL]: 'warm', [CLAIM_LABEL]: claim.uid },
      ownerReferences: [ownerReference('SandboxClaim', claim.object)],
    },
    spec: withPodMetadata(isJsonObject(spec) ? spec : {}, mergePodMetadata(template, claim)),
  }
}
