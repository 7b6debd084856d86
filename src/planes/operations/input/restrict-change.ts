import type { ApiObject } from '../../model/api-object.ts'
import type { ResourceType, ResourceVersion } from '../../model/resource-type.ts'

interface Endpoint {
  readonly subresource: string
  readonly version: ResourceVersion
  readonly type: ResourceType
}

/**
 * The change that an endpoint makes: `status` changes only the status, and the metadata of some
 * types. The resource itself changes everything else. Managed fields pass through both.
 */
export function restrictChange(
  next: ApiObject,
  old: ApiObject,
  { subresource, version, type }: Endpoint,
): ApiObject {
  if (subresource === 'status') return onlyStatus(next, old, type)
  if (!version.hasStatus) return next
  const { status: _status, ...rest } = next
  const kept = old['status']
  return { ...rest, ...(kept !== undefined && { status: kept }) }
}

function onlyStatus(
  next: ApiObject,
  old: ApiObject,
  { statusSetsMetadata = false }: ResourceType,
): ApiObject {
  const { status: _status, ...rest } = old
  const status = next['status']
  const { managedFields } = next.metadata
  return {
    ...rest,
    metadata: statusSetsMetadata
      ? next.metadata
      : { ...old.metadata, ...(managedFields !== undefined && { managedFields }) },
    ...(status !== undefined && { status }),
  }
}
