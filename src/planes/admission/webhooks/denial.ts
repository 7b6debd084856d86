import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { KubeError, type StatusCause, type StatusDetails } from '../../errors/kube-error.ts'
import { textOf } from '../../../lib/json/json-fields.ts'

/** Maximum time of all mutating or all validating webhooks of a request together. */
export const MAX_ADMISSION_MS = 30_000

const MIN_CODE = 400
const MAX_CODE = 599

/** The error of a request that a webhook denies, with the Status of its response. */
export function webhookDenial(webhook: string, status: JsonObject | null): KubeError {
  const { code, reason, message, details } = status ?? {}
  const deniedBy = `admission webhook "${webhook}" denied the request`
  const explanation = textOf(message) || textOf(reason)
  const isFailure =
    typeof code === 'number' && Number.isInteger(code) && code >= MIN_CODE && code <= MAX_CODE
  return new KubeError(
    'forbidden',
    explanation === '' ? `${deniedBy} without explanation` : `${deniedBy}: ${explanation}`,
    {
      code: isFailure ? code : MIN_CODE,
      statusReason: textOf(reason),
      details: isJsonObject(details) ? detailsOf(details) : {},
    },
  )
}

function detailsOf(details: JsonObject): StatusDetails {
  const { name, group, kind, uid, causes } = details
  return {
    ...(typeof name === 'string' && { name }),
    ...(typeof group === 'string' && { group }),
    ...(typeof kind === 'string' && { kind }),
    ...(typeof uid === 'string' && { uid }),
    ...(Array.isArray(causes) && {
      causes: causes.filter((cause) => isJsonObject(cause)).map(causeOf),
    }),
  }
}

function causeOf({ reason, message, field }: JsonObject): StatusCause {
  return {
    ...(typeof reason === 'string' && { reason }),
    ...(typeof message === 'string' && { message }),
    ...(typeof field === 'string' && { field }),
  }
}

/** 400: a dry run would call a webhook that may have side effects. */
export function dryRunUnsupported(webhook: string): KubeError {
  return new KubeError('malformed', `admission webhook "${webhook}" does not support dry run`, {
    code: 400,
    statusReason: 'BadRequest',
  })
}

/** 500: admission itself failed. */
export function admissionFailure(message: string, cause?: unknown): KubeError {
  return new KubeError('internal', `Internal error occurred: ${message}`, {
    code: 500,
    statusReason: 'InternalError',
    details: { causes: [{ message }] },
    cause,
  })
}

/** 504: the webhooks of a request take too long together. */
export function admissionTimeout(): KubeError {
  const message = 'Timeout: request did not complete within requested timeout'
  return new KubeError('timeout', message, { code: 504, statusReason: 'Timeout' })
}
