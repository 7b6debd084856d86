import type { BodyCodec } from '../../../store/objects/model/body-codec.ts'
import type { ObjectKey } from '../../../store/objects/model/stored-object.ts'
import type { Envelope } from '../../../lib/encryption/envelope.ts'
import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'

/** The member that replaces the encrypted ones. */
const ENCRYPTED = 'encrypted'

/**
 * Encrypts the data of secrets, and their annotations, because client-side apply copies the data
 * into one. Without a key, only secrets that are not encrypted can be read.
 */
export function createSecretCodec(envelope: Envelope | null): BodyCodec {
  return {
    encode: (key, body) => (envelope ? encrypted(envelope, key, body) : body),
    decode: (key, body) => {
      const text = body[ENCRYPTED]
      if (typeof text !== 'string') return body
      if (!envelope) {
        throw new Error('the secret is encrypted: set SECRETS_ENCRYPTION_KEY')
      }
      return decrypted(body, JSON.parse(envelope.decrypt(text, contextOf(key))))
    },
  }
}

/** A ciphertext that was copied to another object cannot be decrypted. */
function contextOf({ plane, resource, namespace, name }: ObjectKey): string {
  return [plane, resource, namespace, name].join('/')
}

interface Hidden {
  readonly content: JsonObject
  readonly annotations?: JsonObject
}

function encrypted(envelope: Envelope, key: ObjectKey, body: JsonObject): JsonObject {
  const { data, stringData, metadata, ...rest } = body
  const { annotations, ...visible } = isJsonObject(metadata) ? metadata : {}
  const hidden = {
    content: { ...(data && { data }), ...(stringData && { stringData }) },
    annotations,
  }
  const text = envelope.encrypt(JSON.stringify(hidden), contextOf(key))
  return { ...rest, metadata: visible, [ENCRYPTED]: text }
}

function decrypted(body: JsonObject, { content, annotations }: Hidden): JsonObject {
  const { [ENCRYPTED]: _encrypted, metadata, ...rest } = body
  const visible = isJsonObject(metadata) ? metadata : {}
  return {
    ...rest,
    metadata: annotations ? { ...visible, annotations } : visible,
    ...content,
  }
}
