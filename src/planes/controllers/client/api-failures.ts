import { KubeError } from '../../errors/kube-error.ts'
import type { ResourceName } from './plane-client.ts'

/** 404: the plane does not serve the resource in this version. */
export function resourceNotServed(resource?: ResourceName): KubeError {
  return new KubeError('not-found', 'the server could not find the requested resource', {
    code: 404,
    statusReason: 'NotFound',
    ...(resource && { details: { group: resource.group, kind: resource.plural } }),
  })
}

/** Whether the plane does not serve a resource. */
export function isResourceNotServed(error: unknown): boolean {
  if (!(error instanceof KubeError) || error.code !== 404) return false
  return error.details?.name === undefined && !isPlaneGone(error)
}

/**
 * Whether an object does not exist. A plane that does not serve the object's resource also answers
 * 404, but names no object: it does not show that the object is absent.
 */
export function isObjectNotFound(error: unknown, name: string): boolean {
  return error instanceof KubeError && error.code === 404 && error.details?.name === name
}

/** Whether another writer was faster, or a precondition failed. */
export function isConflict(error: unknown): boolean {
  return error instanceof KubeError && error.code === 409
}

/** Whether the plane itself does not exist, because its cluster was removed. */
export function isPlaneGone(error: unknown): boolean {
  if (!(error instanceof KubeError) || error.code !== 404) return false
  return error.details?.kind === 'clusters' && (error.details.group ?? '') === ''
}
