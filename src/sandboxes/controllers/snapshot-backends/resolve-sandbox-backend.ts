import { type PlaneClient, readOrNull } from 'flotilla/controllers'
import type { ApiObject } from 'flotilla/planes'
import type { BackendObjects } from '../../model/backends/backend-objects.ts'
import { type Unresolved, unresolved } from '../../model/backends/backend-resolution.ts'
import type { DriverState } from '../../model/backends/driver-state.ts'
import { resolveBackend } from '../../model/backends/resolve-backend.ts'
import { type SnapshotClaim, snapshotClaimOf } from '../../model/backends/snapshot-claim.ts'
import { snapshotProviderOf } from '../../model/backends/snapshot-provider.ts'
import type { HibernateReference } from '../../model/suspension-strategy.ts'
import { ensureTemplateClaim } from '../snapshot-claims/ensure-template-claim.ts'
import { ensureDefaultClaim } from '../snapshot-claims/ensure-default-claim.ts'
import { readClasses } from '../snapshot-claims/read-classes.ts'
import { CLAIMS, PROVIDERS } from '../snapshot-claims/snapshot-resources.ts'
import { type UsableBackend, usableBackend } from './usable-backend.ts'

interface Request {
  readonly sandbox: ApiObject
  readonly reference: HibernateReference
  readonly drivers: readonly DriverState[]
}

/**
 * Resolves the backend for a new snapshot of a sandbox. Path A reads the provider only. Path B
 * reads the claim and the classes, and creates the claim of a template.
 */
export async function resolveSandboxBackend(
  client: PlaneClient,
  { sandbox, reference, drivers }: Request,
): Promise<UsableBackend | Unresolved> {
  const objects = await readObjects(client, { sandbox, reference, drivers })
  return usableBackend(client, resolveBackend(objects))
}

async function readObjects(
  client: PlaneClient,
  { sandbox, reference, drivers }: Request,
): Promise<BackendObjects> {
  if (reference.type === 'provider') {
    const { name: providerName } = reference
    const found = await readOrNull(client, PROVIDERS, { namespace: '', name: providerName })
    return { path: 'A', providerName, provider: found && snapshotProviderOf(found), drivers }
  }
  const claim = await readClaim(client, sandbox, reference)
  return { path: 'B', claim, classes: await readClasses(client), drivers }
}

async function readClaim(
  client: PlaneClient,
  sandbox: ApiObject,
  { type, name }: HibernateReference,
): Promise<SnapshotClaim | Unresolved> {
  if (type === 'template') {
    const result = await ensureTemplateClaim(client, sandbox, name)
    return 'unresolved' in result ? result : snapshotClaimOf(result.claim)
  }
  const { namespace = '' } = sandbox.metadata
  if (type === 'default') return snapshotClaimOf(await ensureDefaultClaim(client, namespace))
  const claim = await readOrNull(client, CLAIMS, { namespace, name })
  if (claim !== null) return snapshotClaimOf(claim)
  return unresolved('ClaimNotFound', `the SnapshotClaim ${JSON.stringify(name)} does not exist`)
}
