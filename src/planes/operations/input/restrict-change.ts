import type { ApiObject } from '../../model/api-object.ts'
import type { ResourceVersion } from '../../model/resource-type.ts'

/**
 * The change that an endpoint makes: `status` changes only the status, and the resource itself
 * everything else. Managed fields pass through both.
 */
export function restrictChange(
  next: ApiObject,
  old: ApiObject,
  { subresource, version }: { readonly subresource: string; readonly version: ResourceVersion },
): ApiObject {
  if (subresource === 'status') return onlyStatus(next, old)
  if (!version.hasStatus) return next
  const { status: _status, ...rest } = next
  const kept = old['status']
  return { ...rest, ...(kept !== undefined && { status: kept }) }
}

function onlyStatus(next: ApiObject, old: ApiObject): ApiObject {
  const { status: _status, ...rest } = old
  const status = next['status']
  const { managedFields } = next.metadata
  return {
    ...rest,
    metadata: { ...old.metadata, ...(managedFields !== undefined && { managedFields }) },
    ...(status !== undefined && { status }),
  }
}
