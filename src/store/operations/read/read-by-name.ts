import { FlotillaError } from '../../../lib/errors.ts'
import type { TenantScope } from '../../../access/tenant.ts'
import type { RegisteredKind } from '../../registry/kind.ts'
import { findIdByName } from '../../resources/find-id-by-name.ts'
import type { Context } from '../context.ts'
import { requireParent } from './require-parent.ts'
import type { Representation } from './representation.ts'
import type { FoundResource } from './resource-reader.ts'

/** A resource as a lookup names it. `ownerId` is null for a root kind. */
export interface NamedTarget {
  readonly tenant: TenantScope
  readonly kind: RegisteredKind
  readonly ownerId: string | null
  readonly name: string
}

/**
 * Reads the resource with this name. `not-found` if the parent does not exist, if no resource has the
 * name, or if the one that had it is being deleted: the name is then free.
 */
export async function readByName(
  context: Context,
  { tenant, kind, ownerId, name }: NamedTarget,
  representation: Representation,
): Promise<FoundResource> {
  const id = await findIdByName(context.database, { tenant, kind: kind.kind, ownerId, name })
  const found = id === null ? null : await context.reader.one(id, representation)
  if (found) return found
  if (ownerId !== null) await requireParent(context, { tenant, kind, ownerId })
  throw new FlotillaError('not-found', `${kind.kind} with name='${name}' not found`)
}
