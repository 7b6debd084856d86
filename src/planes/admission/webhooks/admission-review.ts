import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { AdmissionRequest } from '../../model/admission.ts'
import { requestAttributes } from '../matching/request-attributes.ts'
import { jsonText, parseJsonText } from '../../../lib/json/json-text.ts'

const API_VERSION = 'admission.k8s.io/v1'
const MAX_WARNINGS = 32

/** The decision of a webhook. */
export interface AdmissionVerdict {
  readonly allowed: boolean
  /** The Status of a denial; null without one. */
  readonly status: JsonObject | null
  readonly warnings: readonly string[]
  /** The operations of a JSON patch; null if the object stays as it is. */
  readonly patch: JsonValue
}

/** The review that a webhook receives. */
export function createReview(uid: string, request: AdmissionRequest, version: string): JsonObject {
  return {
    kind: 'AdmissionReview',
    apiVersion: API_VERSION,
    request: {
      uid,
      ...requestAttributes(request, version),
      object: request.object,
      oldObject: request.oldObject,
    },
  }
}

/** Reads the response of a webhook. Throws if it is not a review of this request. */
export function readVerdict(uid: string, review: JsonObject): AdmissionVerdict {
  const { kind, apiVersion, response } = review
  if (kind !== 'AdmissionReview' || apiVersion !== API_VERSION) {
    const found = `${jsonText(apiVersion)}, Kind=${jsonText(kind)}`
    throw new Error(
      `expected webhook response of ${API_VERSION}, Kind=AdmissionReview, got ${found}`,
    )
  }
  if (!isJsonObject(response)) throw new Error('webhook response was absent')
  if (response['uid'] !== uid) {
    throw new Error(`expected response.uid="${uid}", got ${jsonText(response['uid'])}`)
  }
  const { allowed, status, warnings } = response
  return {
    allowed: allowed === true,
    status: isJsonObject(status) ? status : null,
    warnings: Array.isArray(warnings)
      ? warnings.filter((text) => typeof text === 'string').slice(0, MAX_WARNINGS)
      : [],
    patch: patchOf(response),
  }
}

function patchOf({ patch, patchType }: JsonObject): JsonValue {
  if (patch === undefined || patch === null || patch === '') {
    if (patchType === undefined || patchType === null) return null
    throw new Error('webhook returned response.patchType but not response.patch')
  }
  if (patchType !== 'JSONPatch') {
    throw new Error(
      'webhook returned response.patch with a response.patchType other than JSONPatch',
    )
  }
  if (typeof patch !== 'string') throw new Error('webhook returned response.patch that is not text')
  return parsePatch(Buffer.from(patch, 'base64').toString('utf8'))
}

function parsePatch(text: string): JsonValue {
  try {
    return parseJsonText(text)
  } catch (cause) {
    throw new Error('received undecodable patch in webhook response', { cause })
  }
}
