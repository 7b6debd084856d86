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

/**
 * 403: an authorizer denied the operation. The message describes the operation even if the reason
 * does not.
 */
export function accessDenied(attributes: AccessAttributes, reason: string): KubeError {
  const { resource } = attributes
  const denial = describeDenial(attributes)
  const addition = reason === '' ? '' : `: ${reason}`
  const detail = reason.startsWith(denial) ? reason : denial + addition
  if (resource) return objectForbidden(resource, resource.name, detail)
  return new KubeError('forbidden', `forbidden: ${detail}`, {
    code: 403,
    statusReason: 'Forbidden',
    details: {},
  })
}
