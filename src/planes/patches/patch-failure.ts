import { badRequest } from '../errors/failures.ts'
import { KubeError } from '../errors/kube-error.ts'

/** 422: the patch does not fit the object. */
export function patchDoesNotFit(detail: string, cause?: unknown): KubeError {
  const message = `the server rejected our request due to an error in our request: ${detail}`
  return new KubeError('unprocessable', message, { code: 422, statusReason: 'Invalid', cause })
}

/** 400: the patch violates the format of its media type. */
export function malformedPatch(detail: string): KubeError {
  return badRequest(`error decoding patch: ${detail}`)
}
