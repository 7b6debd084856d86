import type { IncomingMessage } from 'node:http'
import { isUtf8 } from 'node:buffer'
import { collectBody } from '../../http/json/collect-body.ts'
import { jsonViolationsInSteps } from '../../http/json/check-json.ts'
import { parseMediaType } from '../../http/json/media-type.ts'
import { hasBrowserHeaders } from '../../http/requests/browser-headers.ts'
import { parseJson } from '../../http/json/parse-json-object.ts'
import { isJsonText, parseYaml } from '../negotiation/parse-yaml.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import { badRequest, unsupportedMediaType } from '../errors/failures.ts'
import { KubeError } from '../errors/kube-error.ts'
import { endLongTurn, stepsInTurns } from '../../lib/async/steps.ts'
import { FlotillaError } from '../../lib/errors.ts'
import { jsonText, parseJsonText } from '../../lib/json/json-text.ts'

/** The body of a request. */
export interface RequestBody {
  /** The media type without parameters; `application/json` by default. */
  readonly type: string
  readonly value: JsonValue
  /** JSON text of the value if the client sent JSON. */
  readonly text: string | null
  /** The keys that a YAML body has twice, as messages. */
  readonly duplicateKeys: readonly string[]
}

/** Decodes a binary body; null if the server does not know its type. */
export type DecodeProtobuf = (bytes: Buffer) => JsonValue

interface Options {
  /** Maximum size in bytes. */
  readonly limit: number
  /** Media types that the request may have. */
  readonly accepts: readonly string[]
  readonly decodeProtobuf: DecodeProtobuf
  /** The kind of the object that the request may have. */
  readonly kind: string
}

export const JSON_TYPE = 'application/json'
export const YAML_TYPE = 'application/yaml'
export const PROTOBUF_TYPE = 'application/vnd.kubernetes.protobuf'
export const OBJECT_TYPES = [JSON_TYPE, YAML_TYPE, PROTOBUF_TYPE] as const

/**
 * Reads the body of a request; null if it is empty. Throws 415 for other media types, 413 for large
 * bodies, 400 for malformed ones and 422 for text that PostgreSQL cannot store.
 */
export async function readRequestBody(
  request: IncomingMessage,
  { limit, accepts, decodeProtobuf, kind }: Options,
): Promise<RequestBody | null> {
  const bytes = await collectBody(request, (received) =>
    received > limit ? tooLarge(limit) : null,
  )
  if (bytes.length === 0) return null
  const { type: declared } = parseMediaType(request.headers['content-type'] ?? '')
  // A page can send a body without a type to another origin without asking.
  const isUntyped = declared === '' && hasBrowserHeaders(request)
  const type = declared === '' ? JSON_TYPE : declared
  if (isUntyped || !accepts.includes(type)) {
    throw unsupportedMediaType(
      `the body of the request was in an unknown format - accepted media types include: ${accepts.join(', ')}`,
    )
  }
  if (type === PROTOBUF_TYPE) {
    const value = decodeProtobuf(bytes)
    await requireStorable(jsonText(value))
    return { type, value, text: null, duplicateKeys: [] }
  }
  if (!isUtf8(bytes)) throw badRequest('the body is not valid UTF-8')
  const text = bytes.toString('utf8')
  // JSON is YAML, but the limits of YAML are lower.
  if (isJson(type) || isJsonText(text)) {
    const value = type === JSON_TYPE ? parseObject(text, kind) : parseJson(text, parseJsonText)
    await endLongTurn()
    await requireStorable(text)
    await endLongTurn()
    return { type, value, text, duplicateKeys: [] }
  }
  const { value, duplicateKeys } = parseYaml(text)
  await requireStorable(jsonText(value))
  return { type, value, text: null, duplicateKeys }
}

/** Parses an object as JSON. Clients of Kubernetes know the message by its beginning. */
function parseObject(text: string, kind: string): JsonValue {
  try {
    return parseJson(text, parseJsonText)
  } catch (error) {
    if (!(error instanceof FlotillaError)) throw error
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): ${error.message}`,
    )
  }
}

function isJson(type: string): boolean {
  return type.endsWith('json')
}

async function requireStorable(text: string): Promise<void> {
  const violations = await stepsInTurns(jsonViolationsInSteps(text, { integers: 'int64' }))
  if (violations.length === 0) return
  throw new KubeError('unprocessable', violations.map(({ message }) => message).join('; '), {
    code: 422,
    statusReason: 'Invalid',
    details: {
      causes: violations.map(({ field, message }) => ({
        field,
        message,
        reason: 'FieldValueInvalid',
      })),
    },
  })
}

function tooLarge(limit: number): KubeError {
  return new KubeError('too-large', `Request entity too large: limit is ${limit}`, {
    code: 413,
    statusReason: 'RequestEntityTooLarge',
  })
}
