import { notFound } from '../../../lib/errors.ts'
import { isInScope, type TenantScope } from '../../../access/tenant.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import type { ResourceKey } from '../../resources/resource-key.ts'
import type { Context } from '../context.ts'
import type { Representation } from './representation.ts'
import type { FoundResource } from './resource-reader.ts'

/** A resource as a request names it. `ownerId` is null if the path does not name the parent. */
export interface Target {
  readonly tenant: TenantScope
  readonly kind: RegisteredKind
  readonly id: string
  readonly ownerId: string | null
}

/** The key of the target in storage. */
export function keyOf({ tenant, kind, id, ownerId }: Target): ResourceKey {
  return {
    kind: kind.kind,
    id,
    ...(ownerId !== null && { ownerId }),
    ...(tenant !== null && { tenant }),
  }
}

/** Whether a target names this resource. */
export function isTarget(
  { tenant, kind, ownerId }: Target,
  found: Pick<FoundResource, 'tenant' | 'kind' | 'ownerId'>,
): boolean {
  return (
    found.kind === kind.kind &&
    (ownerId ?? found.ownerId) === found.ownerId &&
    isInScope(tenant, found.tenant)
  )
}

/** Reads one resource. `not-found` if it does not exist in the tenant or under this parent. */
export async function readResource(
  { reader }: Context,
  target: Target,
  representation: Representation,
): Promise<FoundResource> {
  const found = await reader.one(target.id, representation)
  if (!found || !isTarget(target, found)) throw notFound(target.kind.kind, target.id)
  return found
}
