import { KubeError, type StatusDetails } from '../../../errors/kube-error.ts'
import type { Reason } from '../../../../lib/errors.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import { textOf } from '../../../../lib/json/json-fields.ts'

const REASONS: Readonly<Record<number, Reason>> = {
  400: 'malformed',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  408: 'request-timeout',
  409: 'conflict',
  410: 'expired',
  412: 'precondition-failed',
  413: 'too-large',
  415: 'unsupported-media-type',
  422: 'unprocessable',
  429: 'too-many-requests',
  503: 'unavailable',
  504: 'timeout',
}

/** The error of a Status. `code` is used if the body names none, or is no Status. */
export function errorOfStatus(status: JsonValue | undefined, code: number): KubeError {
  const body = isJsonObject(status) ? status : {}
  const actualCode = typeof body['code'] === 'number' ? body['code'] : code
  const statusReason = textOf(body['reason'])
  const isDuplicate = statusReason === 'AlreadyExists'
  const reason = isDuplicate ? 'already-exists' : (REASONS[actualCode] ?? 'internal')
  const details = detailsOf(body['details'])
  return new KubeError(reason, textOf(body['message']) || `the server answered ${code}`, {
    code: actualCode,
    statusReason,
    ...(details !== null && { details }),
  })
}

function detailsOf(value: JsonValue | undefined): StatusDetails | null {
  if (!isJsonObject(value)) return null
  const { causes, retryAfterSeconds } = value
  return {
    ...textsOf(value, ['name', 'group', 'kind', 'uid']),
    ...(Array.isArray(causes) && {
      causes: causes
        .filter(isJsonObject)
        .map((cause) => textsOf(cause, ['reason', 'message', 'field'])),
    }),
    ...(typeof retryAfterSeconds === 'number' && { retryAfterSeconds }),
  }
}

function textsOf(object: JsonObject, names: readonly string[]): Record<string, string> {
  const present = names.filter((name) => typeof object[name] === 'string')
  return Object.fromEntries(present.map((name) => [name, textOf(object[name])]))
}
