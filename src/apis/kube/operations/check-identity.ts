import { badRequest } from '../errors/failures.ts'
import type { ApiObject } from '../model/api-object.ts'
import type { Target } from '../model/object-operations.ts'
import { apiVersionOf } from '../model/resource-type.ts'

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
