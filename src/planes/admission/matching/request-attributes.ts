import type { JsonObject } from '../../../lib/json/json.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import { apiVersionOf } from '../../model/resource-type.ts'
import type { UserInfo } from '../../model/user-info.ts'
import { namespaceOf } from './admission-subject.ts'

const OPTIONS_KINDS = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
} as const

/**
 * The members of a request that both reviews and expressions contain: all except uid and objects.
 * `version` is the one of the objects, which may differ from that of the request.
 */
export function requestAttributes(request: AdmissionRequest, version: string): JsonObject {
  const { type, subresource, operation, name, options, dryRun } = request
  const { group, kind, plural } = type
  const namespace = namespaceOf(request)
  return {
    kind: { group, version, kind },
    resource: { group, version, resource: plural },
    ...(subresource !== '' && { subResource: subresource, requestSubResource: subresource }),
    requestKind: { group, version: request.version, kind },
    requestResource: { group, version: request.version, resource: plural },
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: userInfoOf(request.user),
    dryRun,
    options: {
      kind: OPTIONS_KINDS[operation],
      apiVersion: apiVersionOf('meta.k8s.io', 'v1'),
      ...options,
    },
  }
}

function userInfoOf({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    username: name,
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}
