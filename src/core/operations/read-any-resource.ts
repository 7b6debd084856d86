import { notFound } from '../../lib/errors.ts'
import { isInScope, type TenantScope } from '../model/tenant.ts'
import type { Context } from './context.ts'
import type { FoundResource } from './resource-reader.ts'

/** Reads the resource with this id, of any declared kind; `not-found` if the tenant has none. */
export async function readAnyResource(
  { reader }: Context,
  tenant: TenantScope,
  id: string,
): Promise<FoundResource> {
  const found = await reader.one(id)
  if (!found || !isInScope(tenant, found.tenant)) throw notFound('Resource', id)
  return found
}
