import type { FieldError } from '../model/field-error.ts'
import type { ResourceType } from '../model/resource-type.ts'
import { KubeError, type StatusCause } from './kube-error.ts'

type Named = Pick<ResourceType, 'group' | 'plural'>

/** `configmaps` or `fleets.kplane.dev`, as messages name a resource. */
function qualified({ group, plural }: Named): string {
  return group === '' ? plural : `${plural}.${group}`
}

/** 404: no object has this name. */
export function objectNotFound(type: Named, name: string): KubeError {
  return new KubeError('not-found', `${qualified(type)} "${name}" not found`, {
    code: 404,
    statusReason: 'NotFound',
    details: { name, group: type.group, kind: type.plural },
  })
}

/** 409: an object of this name exists. */
export function alreadyExists(type: Named, name: string): KubeError {
  return new KubeError('already-exists', `${qualified(type)} "${name}" already exists`, {
    code: 409,
    statusReason: 'AlreadyExists',
    details: { name, group: type.group, kind: type.plural },
  })
}

/** 409: the object has changed, or a precondition failed. */
// oxlint-disable-next-line max-params -- a public function
export function objectConflict(
  type: Named,
  name: string,
  detail = 'the object has been modified; please apply your changes to the latest version and try again',
  causes: readonly StatusCause[] = [],
): KubeError {
  const message = `Operation cannot be fulfilled on ${qualified(type)} "${name}": ${detail}`
  return new KubeError('conflict', message, {
    code: 409,
    statusReason: 'Conflict',
    details: {
      name,
      group: type.group,
      kind: type.plural,
      ...(causes.length > 0 && { causes }),
    },
  })
}

/** 422: the object violates rules. */
export function objectInvalid(
  { group, kind }: Pick<ResourceType, 'group' | 'kind'>,
  name: string,
  errors: readonly FieldError[],
): KubeError {
  const listed = errors.map(({ field, message }) =>
    field === '' ? message : `${field}: ${message}`,
  )
  const summary = listed.length === 1 ? listed[0] : `[${listed.join(', ')}]`
  const qualifiedKind = group === '' ? kind : `${kind}.${group}`
  return new KubeError('unprocessable', `${qualifiedKind} "${name}" is invalid: ${summary}`, {
    code: 422,
    statusReason: 'Invalid',
    details: { name, group, kind, causes: errors },
  })
}

/** 403: authorization or admission denies the operation. `detail` follows a colon. */
// oxlint-disable-next-line max-params -- a public function
export function objectForbidden(
  type: Named,
  name: string,
  detail: string,
  causes: readonly StatusCause[] = [],
): KubeError {
  const target = name === '' ? qualified(type) : `${qualified(type)} "${name}"`
  return new KubeError('forbidden', `${target} is forbidden: ${detail}`, {
    code: 403,
    statusReason: 'Forbidden',
    details: {
      name,
      group: type.group,
      kind: type.plural,
      ...(causes.length > 0 && { causes }),
    },
  })
}

/** 400: the request is malformed. */
export function badRequest(message: string): KubeError {
  return new KubeError('malformed', message, { code: 400, statusReason: 'BadRequest' })
}

/** 410: the resource version is no longer available. */
export function versionExpired(
  message = 'The provided resource version is too old: list again',
): KubeError {
  return new KubeError('expired', message, { code: 410, statusReason: 'Expired' })
}

/** 405: the resource does not support the operation. */
export function methodNotSupported({ group, plural }: Named, verb: string): KubeError {
  const message = `${verb} is not supported on resources of kind "${qualified({ group, plural })}"`
  return new KubeError('method-not-allowed', message, {
    code: 405,
    statusReason: 'MethodNotAllowed',
    details: { group, kind: plural },
  })
}

/** 415: the format of a body or patch is not supported. */
export function unsupportedMediaType(message: string): KubeError {
  return new KubeError('unsupported-media-type', message, {
    code: 415,
    statusReason: 'UnsupportedMediaType',
  })
}
