import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { badRequest, unsupportedMediaType } from '../errors/failures.ts'
import { decodeMessage } from './decode-message.ts'
import { KIND_MESSAGES } from './descriptor.ts'
import { wireFields } from './wire-reader.ts'

/** `k8s` and a zero byte. */
const MAGIC = [0x6b, 0x38, 0x73, 0x00]
/**
 * Decodes the body of a request in Kubernetes' protobuf format into JSON. Throws a 400 if it is
 * malformed, and a 415 if protobuf is not supported for its kind.
 */
export function decodeProtobuf(body: Uint8Array): JsonObject {
  if (!MAGIC.every((byte, index) => body[index] === byte)) {
    throw badRequest('the body does not start with the expected prefix of protobuf')
  }
  return guarded(() => decodeEnvelope(body.subarray(MAGIC.length)))
}

/** The envelope is runtime.Unknown: the API version and kind, and the message of the object. */
function decodeEnvelope(bytes: Uint8Array): JsonObject {
  const circumstances = { budget: { values: 0 }, depth: 0 }
  let header: JsonObject = {}
  let content: Uint8Array = new Uint8Array()
  let isEncoded = false
  for (const field of wireFields(bytes)) {
    if (field.number === 1) header = decodeMessage('runtime.TypeMeta', field.bytes, circumstances)
    if (field.number === 2) content = field.bytes
    if (field.number === 3 && field.bytes.length > 0) isEncoded = true
  }
  const apiVersion = textOf(header['apiVersion'])
  const kind = textOf(header['kind'])
  const message = messageOf(apiVersion, kind)
  if (message === null || isEncoded) {
    throw unsupportedMediaType(
      `protobuf is not supported for ${apiVersion} ${kind}; send application/json`,
    )
  }
  return { apiVersion, kind, ...decodeMessage(message, content, circumstances) }
}

const textOf = (value: JsonValue | undefined) => (typeof value === 'string' ? value : '')

function messageOf(apiVersion: string, kind: string): string | null {
  const key = [`${apiVersion} ${kind}`, `* ${kind}`].find((one) =>
    Object.hasOwn(KIND_MESSAGES, one),
  )
  return key === undefined ? null : (KIND_MESSAGES[key] ?? null)
}

function guarded(decode: () => JsonObject): JsonObject {
  try {
    return decode()
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof SyntaxError)) throw error
    throw badRequest(`the protobuf body cannot be decoded: ${error.message}`)
  }
}
