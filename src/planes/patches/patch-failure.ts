import { FlotillaError } from '../../lib/errors.ts'
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

/** The index of the operation that does not fit the object; null for other failures. */
export function failedOperation(error: unknown): number | null {
  const cause = error instanceof KubeError ? error.cause : null
  const field = cause instanceof FlotillaError ? cause.causes[0]?.field : undefined
  const match = /^\[(\d+)\]/.exec(field ?? '')
  return match ? Number(match[1]) : null
}
