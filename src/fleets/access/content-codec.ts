import type { BodyCodec } from '../../store/objects/model/body-codec.ts'
import type { ObjectKey } from '../../store/objects/model/stored-object.ts'
import type { Envelope } from '../../lib/encryption/envelope.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { objectOf } from '../../lib/json/json-fields.ts'

/** The member that replaces the encrypted ones. */
const ENCRYPTED = 'encrypted'

/**
 * Encrypts the manifests of a Fleet or Scenario if they include Secrets. `path` is the path of the
 * object with the manifests. Annotations are encrypted too, because client-side apply copies the
 * manifests into one. Without a key, only objects that are not encrypted can be read.
 */
export function createContentCodec(envelope: Envelope | null, path: readonly string[]): BodyCodec {
  return {
    encode: (key, body) => {
      const objects = at(body, [...path, 'objects'])
      if (!envelope || !hasSecret(objects)) return body
      const { annotations = null, ...metadata } = objectOf(body['metadata'])
      const hidden = JSON.stringify({ objects, annotations })
      return {
        ...withObjects(body, path, []),
        metadata,
        [ENCRYPTED]: envelope.encrypt(hidden, contextOf(key)),
      }
    },
    decode: (key, body) => {
      const { [ENCRYPTED]: text, ...visible } = body
      if (typeof text !== 'string') return body
      if (!envelope) {
        throw new Error('the manifests are encrypted: set SECRETS_ENCRYPTION_KEY')
      }
      const hidden: JsonObject = JSON.parse(envelope.decrypt(text, contextOf(key)))
      const { objects = [], annotations = null } = hidden
      const metadata = objectOf(body['metadata'])
      return {
        ...withObjects(visible, path, objects),
        metadata: annotations === null ? metadata : { ...metadata, annotations },
      }
    },
  }
}

/** A ciphertext that was copied to another object cannot be decrypted. */
function contextOf({ plane, resource, namespace, name }: ObjectKey): string {
  return [plane, resource, namespace, name].join('/')
}

function hasSecret(objects: JsonValue): boolean {
  if (!Array.isArray(objects)) return false
  return objects.some((object: JsonValue) => isJsonObject(object) && object['kind'] === 'Secret')
}

function at(value: JsonValue, path: readonly string[]): JsonValue {
  return path.reduce<JsonValue>((current, name) => objectOf(current)[name] ?? null, value)
}

function withObjects(body: JsonObject, path: readonly string[], objects: JsonValue): JsonObject {
  const [first, ...rest] = path
  if (first === undefined) return { ...body, objects }
  return { ...body, [first]: withObjects(objectOf(body[first]), rest, objects) }
}
