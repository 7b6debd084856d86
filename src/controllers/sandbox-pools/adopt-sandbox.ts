import type { ApiObject } from '../../apis/kube/model/api-object.ts'
import { isJsonObject } from '../../lib/json/json.ts'
import { isConflict, isObjectNotFound } from '../client/api-failures.ts'
import type { PlaneClient } from '../client/plane-client.ts'
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
  /** UIDs of sandboxes that other claims are about to adopt in this process. */
  readonly reserved: Set<string>
}

/**
 * Gives a waiting sandbox of a pool to a claim; null if the pool has none. One conditional write
 * changes owner and labels. If another claim was faster, the next sandbox is tried.
 */
export async function adoptSandbox(
  client: PlaneClient,
  { claim, pool, template, reserved }: Adoption,
): Promise<ApiObject | null> {
  for (const sandbox of await candidates(client, pool)) {
    const { name = '', uid = '' } = sandbox.metadata
    if (reserved.has(uid)) continue
    reserved.add(uid)
    try {
      return await client.update(SANDBOXES, adopted(sandbox, claim, template))
    } catch (error) {
      if (!isConflict(error) && !isObjectNotFound(error, name)) throw error
    } finally {
      reserved.delete(uid)
    }
  }
  return null
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
