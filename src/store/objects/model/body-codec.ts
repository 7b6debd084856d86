import type { JsonObject } from '../../../lib/json/json.ts'
import type { ObjectKey } from './stored-object.ts'

/** Converts the bodies of one resource to their stored form and back, for example to encrypt them. */
export interface BodyCodec {
  /** The stored form keeps `metadata`. */
  encode(key: ObjectKey, body: JsonObject): JsonObject
  decode(key: ObjectKey, body: JsonObject): JsonObject
}

/** The codec of a resource; null if its objects are stored as they are. */
export type CodecOf = (resource: string) => BodyCodec | null
