import { KubeError } from '../errors/kube-error.ts'
import { objectForbidden } from '../errors/failures.ts'
import type { AccessAttributes } from '../model/access.ts'

/** The reason of a denial, such as `User "ada" cannot get path "/version"`. */
export function describeDenial({ user, verb, resource, path }: AccessAttributes): string {
  const start = `User ${JSON.stringify(user.name)} cannot ${verb}`
  if (resource === null) return `${start} path ${JSON.stringify(path)}`
  const { plural, subresource, group, namespace } = resource
  const named = subresource === '' ? plural : `${plural}/${subresource}`
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`
  return `${start} resource "${named}" in API group "${group}" ${scope}`
}

/** 403: an authorizer denied the operation for a reason that names user and operation. */
export function accessDenied({ resource }: AccessAttributes, reason: string): KubeError {
  if (resource) return objectForbidden(resource, resource.name, reason)
  return new KubeError('forbidden', `forbidden: ${reason}`, {
    code: 403,
    statusReason: 'Forbidden',
    details: {},
  })
}
