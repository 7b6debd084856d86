import type { JsonObject } from '../../../lib/json/json.ts'
import { badRequest } from '../../errors/failures.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Target } from '../../model/object-operations.ts'
import { apiVersionOf } from '../../model/resource-type.ts'

/**
 * Requires that the body names the type, namespace and object of the request. Returns it with the
 * members that it may omit.
 */
export function withIdentity(object: ApiObject, target: Target): ApiObject {
  const { type, version, namespace, name } = target
  const apiVersion = apiVersionOf(type.group, version)
  const given = object.apiVersion
  if (given !== undefined && given !== apiVersion) {
    throw badRequest(
      `the API version in the data (${given}) does not match the expected API version (${apiVersion})`,
    )
  }
  if (object.kind !== undefined && object.kind !== type.kind) {
    throw badRequest(
      `the kind in the data (${object.kind}) does not match the expected kind (${type.kind})`,
    )
  }
  const { metadata } = object
  requireText(metadata, 'name')
  requireText(metadata, 'namespace')
  const ownNamespace = metadata.namespace ?? ''
  if (ownNamespace !== '' && ownNamespace !== namespace) {
    throw badRequest(
      `the namespace of the provided object does not match the namespace sent on the request`,
    )
  }
  const ownName = metadata.name ?? ''
  if (name !== '' && ownName !== '' && ownName !== name) {
    throw badRequest(
      `the name of the object (${ownName}) does not match the name on the URL (${name})`,
    )
  }
  return {
    ...object,
    apiVersion,
    kind: type.kind,
    metadata: {
      ...metadata,
      ...(name !== '' && { name }),
      ...(type.namespaced && { namespace }),
    },
  }
}

/** Input may have values of any type. */
function requireText(metadata: JsonObject, member: 'name' | 'namespace'): void {
  const value = metadata[member] ?? ''
  if (typeof value !== 'string') throw badRequest(`metadata.${member} must be a string`)
}
