import type { ApiObject } from '../model/api-object.ts'
import type { Requester, Target, WriteOptions } from '../model/object-operations.ts'

/** A request that writes an object. */
export interface WriteRequest {
  readonly requester: Requester
  readonly target: Target
  readonly options: WriteOptions
}

/** A write whose body is the object. */
export interface ObjectRequest extends WriteRequest {
  readonly input: ApiObject
}
