import { notFound } from '../../../lib/errors.ts'
import { isInScope, type TenantScope } from '../../../access/tenant.ts'
import type { Context } from '../context.ts'
import type { Representation } from './representation.ts'
import type { FoundResource } from './resource-reader.ts'

interface AnyTarget {
  readonly tenant: TenantScope
  readonly id: string
}

/** Reads the resource with this ID, of any declared kind. `not-found` if the tenant has none. */
export async function readAnyResource(
  { reader }: Context,
  { tenant, id }: AnyTarget,
  representation: Representation,
): Promise<FoundResource> {
  const found = await reader.one(id, representation)
  if (!found || !isInScope(tenant, found.tenant)) throw notFound('Resource', id)
  return found
}
