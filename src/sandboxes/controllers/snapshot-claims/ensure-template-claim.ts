import { isConflict, type PlaneClient, readOrNull } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import { CLAIM_TEMPLATES, CLAIMS } from './snapshot-resources.ts'
import { isClaimOf, templateClaim, templateClaimName } from './template-claim.ts'

/** The claim of a sandbox, or the reason why there is none. */
export type TemplateClaim =
  | { readonly claim: ApiObject }
  | {
      readonly unresolved: 'TemplateNotFound' | 'NameConflict'
      readonly message: string
    }

/**
 * Reads the claim that a template gives a sandbox, and creates it if it is absent. A foreign claim
 * with its name is never used: its parameters could send the snapshot to another store. An existing
 * claim does not need its template.
 */
export async function ensureTemplateClaim(
  client: PlaneClient,
  sandbox: ApiObject,
  template: string,
): Promise<TemplateClaim> {
  const existing = await readTemplateClaim(client, sandbox, template)
  if (existing !== null) return existing
  const { namespace = '' } = sandbox.metadata
  const found = await readOrNull(client, CLAIM_TEMPLATES, { namespace, name: template })
  if (found === null) {
    const message = `The SnapshotClaimTemplate "${namespace}/${template}" does not exist`
    return { unresolved: 'TemplateNotFound', message }
  }
  try {
    return { claim: await client.create(CLAIMS, templateClaim(sandbox, found)) }
  } catch (error) {
    if (!isConflict(error)) throw error
    const created = await readTemplateClaim(client, sandbox, template)
    if (created === null) throw error
    return created
  }
}

async function readTemplateClaim(
  client: PlaneClient,
  sandbox: ApiObject,
  template: string,
): Promise<TemplateClaim | null> {
  const { namespace = '' } = sandbox.metadata
  const name = templateClaimName(sandbox, template)
  const claim = await readOrNull(client, CLAIMS, { namespace, name })
  if (claim === null || isClaimOf(claim, sandbox)) return claim && { claim }
  const message =
    `The SnapshotClaim "${namespace}/${name}" belongs to another owner; ` +
    'delete it so that the sandbox can create its own claim'
  return { unresolved: 'NameConflict', message }
}
