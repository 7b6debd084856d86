import { KubeError } from '../../apis/kube/errors/kube-error.ts'
import type { ApiObject } from '../../apis/kube/model/api-object.ts'
import { readOrNull } from '../client/read-or-null.ts'
import type { PlaneClient } from '../client/plane-client.ts'
import { SANDBOXES } from '../snapshot-claims/snapshot-resources.ts'
import { addVolumes } from './add-volumes.ts'
import { adoptSandbox, type Reservations } from './adopt-sandbox.ts'
import { ClaimProblem } from './claim-problem.ts'
import { controllerOf, ownerReference } from './controlled-sandbox.ts'
import { findClaimedSandbox } from './find-claimed-sandbox.ts'
import { injectEnv } from './inject-env.ts'
import { mergePodMetadata } from './merge-pod-metadata.ts'
import { CLAIM_LABEL, POOLS, TEMPLATES } from './pool-resources.ts'
import type { SandboxClaim } from './sandbox-claim.ts'
import { sandboxFromTemplate } from './sandbox-manifest.ts'
import { type SandboxTemplate, sandboxTemplateOf } from './sandbox-template.ts'
import { type WarmPool, warmPoolOf } from './warm-pool.ts'

/** A sandbox of a claim, and how the claim got it. */
export interface ProvidedSandbox {
  readonly sandbox: ApiObject
  readonly source: 'existing' | 'adopted' | 'created'
}

/**
 * Returns the sandbox of a claim: the one that it has, a waiting one of the pool, or a new one. A
 * claim with environment variables or volumes always gets a new one. Throws ClaimProblem.
 */
export async function provideSandbox(
  client: PlaneClient,
  claim: SandboxClaim,
  reserved: Reservations,
): Promise<ProvidedSandbox> {
  const existing = await findClaimedSandbox(client, claim)
  if (existing) return { sandbox: existing, source: 'existing' }
  const pool = await readPool(client, claim)
  const template = await readTemplate(client, pool)
  // Also rejects metadata before a sandbox leaves the pool.
  mergePodMetadata(template, claim)
  const foreign = await readOrNull(client, SANDBOXES, claim)
  if (foreign && controllerOf(foreign)?.uid !== claim.uid) {
    const message = `the sandbox "${claim.name}" belongs to another owner: rename the claim or delete the sandbox`
    throw new ClaimProblem('ReconcilerError', message)
  }
  const adoption = { claim, pool, template, reserved }
  const isOwn = claim.env.length > 0 || claim.volumeClaimTemplates.length > 0
  const adopted = isOwn ? null : await adoptSandbox(client, adoption)
  if (adopted) return { sandbox: adopted, source: 'adopted' }
  return { sandbox: await createSandbox(client, claim, template), source: 'created' }
}

async function readPool(client: PlaneClient, claim: SandboxClaim): Promise<WarmPool> {
  const found = await readOrNull(client, POOLS, { namespace: claim.namespace, name: claim.pool })
  if (found) return warmPoolOf(found)
  throw new ClaimProblem('WarmPoolNotFound', `SandboxWarmPool "${claim.pool}" not found`)
}

async function readTemplate(client: PlaneClient, pool: WarmPool): Promise<SandboxTemplate> {
  const { namespace, templateName: name } = pool
  const found = await readOrNull(client, TEMPLATES, { namespace, name })
  if (found) return sandboxTemplateOf(found)
  throw new ClaimProblem('TemplateNotFound', `SandboxTemplate "${name}" not found`)
}

async function createSandbox(
  client: PlaneClient,
  claim: SandboxClaim,
  template: SandboxTemplate,
): Promise<ApiObject> {
  const blueprint = addVolumes(
    { ...template, blueprint: injectEnv(template, claim.env) },
    claim.volumeClaimTemplates,
  )
  const manifest = sandboxFromTemplate(
    { ...template, blueprint },
    {
      namespace: claim.namespace,
      name: claim.name,
      owner: ownerReference('SandboxClaim', claim.object),
      launch: 'cold',
      labels: { [CLAIM_LABEL]: claim.uid },
      podMetadata: mergePodMetadata(template, claim),
    },
  )
  try {
    return await client.create(SANDBOXES, manifest)
  } catch (error) {
    // Admission rejects the sandbox: only a change of the template or of a policy helps.
    if (error instanceof KubeError && (error.code === 422 || error.code === 403)) {
      throw new ClaimProblem('ReconcilerError', error.message)
    }
    throw error
  }
}
