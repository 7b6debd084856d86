import type { JsonObject } from '../../lib/json/json.ts'
import type { ApiObject } from './api-object.ts'
import type { ResourceType } from './resource-type.ts'
import type { UserInfo } from './user-info.ts'

/** A write before it is stored. */
export interface AdmissionRequest {
  readonly plane: string
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
  readonly type: ResourceType
  /** The version of the request. */
  readonly version: string
  /** Empty for the resource itself. */
  readonly subresource: string
  readonly namespace: string
  /** May be empty if the server generates the name. */
  readonly name: string
  /** Null for deletions. */
  readonly object: ApiObject | null
  /** Null for creations. */
  readonly oldObject: ApiObject | null
  /** CreateOptions, UpdateOptions, PatchOptions or DeleteOptions. */
  readonly options: JsonObject
  readonly dryRun: boolean
  readonly user: UserInfo
  /** Sends a `Warning` header with the response. */
  readonly warn: (message: string) => void
}

/** The most objects of a resource in a namespace. */
export interface ObjectLimit {
  readonly max: number
  /** The error of a creation beyond the limit. */
  readonly exceeded: () => Promise<Error>
}

/**
 * Changes or rejects writes. Rejections are thrown as KubeError. No transaction is open during
 * admission. The members of the chain run in the order of the list.
 */
export interface AdmissionPlugin {
  /** Returns the changed object. Not called for deletions. */
  mutate?(request: AdmissionRequest & { readonly object: ApiObject }): Promise<ApiObject>
  /** Called after all mutations. */
  validate?(request: AdmissionRequest): Promise<void>
  /** A limit that the commit of a creation enforces; null if there is none. */
  limit?(request: AdmissionRequest): Promise<ObjectLimit | null>
}
