import { type PlaneClient, readOrNull } from 'flotilla/controllers'
import { type ApiObject, KubeError } from 'flotilla/planes'
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
  /** The pool that it has left; null if it comes from none. */
  readonly pool: string | null
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
  if (existing) return { sandbox: existing, source: 'existing', pool: null }
  const { pools, template } = await resolveSource(client, claim)
  // Also rejects metadata before a sandbox leaves the pool.
  mergePodMetadata(template, claim)
  const foreign = await readOrNull(client, SANDBOXES, claim)
  if (foreign && controllerOf(foreign)?.uid !== claim.uid) {
    const message = `the sandbox "${claim.name}" belongs to another owner: rename the claim or delete the sandbox`
    throw new ClaimProblem('ReconcilerError', message)
  }
  const isOwn = claim.env.length > 0 || claim.volumeClaimTemplates.length > 0
  for (const pool of isOwn ? [] : pools) {
    const sandbox = await adoptSandbox(client, { claim, pool, template, reserved })
    if (sandbox) return { sandbox, source: 'adopted', pool: pool.name }
  }
  const sandbox = await createSandbox(client, claim, template)
  return { sandbox, source: 'created', pool: null }
}

interface ResolvedSource {
  /** The pools that may have a sandbox for the claim. */
  readonly pools: readonly WarmPool[]
  readonly template: SandboxTemplate
}

async function resolveSource(
  client: PlaneClient,
  { namespace, source }: SandboxClaim,
): Promise<ResolvedSource> {
  const found = await readOrNull(client, POOLS, { namespace, name: source.pool })
  if (found) {
    const pool = warmPoolOf(found)
    return { pools: [pool], template: await readTemplate(client, namespace, pool.templateName) }
  }
  if (source.template === null) {
    throw new ClaimProblem('WarmPoolNotFound', `SandboxWarmPool "${source.pool}" not found`)
  }
  const template = await readTemplate(client, namespace, source.template)
  return { pools: source.adopts ? await poolsOf(client, namespace, template) : [], template }
}

/** The pools whose sandboxes a claim of a template may get. */
async function poolsOf(
  client: PlaneClient,
  namespace: string,
  { name }: SandboxTemplate,
): Promise<readonly WarmPool[]> {
  const pools: WarmPool[] = []
  for await (const { items } of client.pages(POOLS, { namespace })) {
    pools.push(...items.map(warmPoolOf).filter(({ templateName }) => templateName === name))
  }
  return pools
}

async function readTemplate(
  client: PlaneClient,
  namespace: string,
  name: string,
): Promise<SandboxTemplate> {
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
