import type { Wait } from '../../lib/async/wait.ts'
import type { JsonValue } from '../../lib/json/json.ts'
import type { ObjectFence } from '../../store/objects/model/object-fence.ts'
import type { WriteFence } from '../../store/objects/model/write-fence.ts'
import type { ApiList, ApiObject } from './api-object.ts'
import type { ResourceType } from './resource-type.ts'
import type { UserInfo } from './user-info.ts'

/** Who sends a request. */
export interface Requester {
  readonly user: UserInfo
  /** Sends a warning with the response. */
  readonly warn: (message: string) => void
  /** Throws a 403 unless the user may create the target of an apply. Absent: it may. */
  readonly requireCreate?: () => Promise<void>
  /** How the request waits. Absent: it holds no seats. */
  readonly wait?: Wait
  /** Passed on to each write, which fails with 409 if the fence does not hold. */
  readonly fence?: WriteFence | ObjectFence
}

/** An object or a collection that a request names. */
export interface Target {
  readonly plane: string
  readonly type: ResourceType
  readonly version: string
  /** Empty for cluster-scoped resources and for all namespaces. */
  readonly namespace: string
  /** Empty for collections. */
  readonly name: string
  /** Empty for the resource itself. */
  readonly subresource: string
}

export interface ReadOptions {
  /** Empty for the newest state. */
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: string
}

export interface ListOptions extends ReadOptions {
  /** The syntax of Kubernetes. */
  readonly labelSelector?: string
  readonly fieldSelector?: string
  readonly limit?: number
  readonly continue?: string
}

export interface WriteOptions {
  readonly dryRun?: boolean
  readonly fieldManager?: string
  /**
   * The object as this process has read or written it. An update that changes this version needs no
   * further read.
   */
  readonly basedOn?: ApiObject
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict'
  /** JSON text of the body if the client sent JSON, so that duplicate fields are detected. */
  readonly text?: string
  /** The duplicate keys of a YAML body, as messages. */
  readonly duplicateKeys?: readonly string[]
}

export interface DeleteOptions {
  readonly dryRun?: boolean
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan'
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** A patch by its media type. `force` applies to `apply` only. */
export interface ObjectPatch {
  readonly type: 'json' | 'merge' | 'strategic' | 'apply'
  readonly body: JsonValue
  readonly force?: boolean
  /** JSON text of the body if duplicate fields must be detected. */
  readonly text?: string
  /** The duplicate keys of a YAML body, as messages. */
  readonly duplicateKeys?: readonly string[]
}

/**
 * The operations on objects, after authorization: defaults, admission, validation, field
 * management and optimistic writes. They throw KubeError.
 */
export interface ObjectOperations {
  get(requester: Requester, target: Target, options?: ReadOptions): Promise<ApiObject>
  list(requester: Requester, target: Target, options?: ListOptions): Promise<ApiList>
  create(
    requester: Requester,
    target: Target,
    object: ApiObject,
    options?: WriteOptions,
  ): Promise<ApiObject>
  update(
    requester: Requester,
    target: Target,
    object: ApiObject,
    options?: WriteOptions,
  ): Promise<ApiObject>
  patch(
    requester: Requester,
    target: Target,
    patch: ObjectPatch,
    options?: WriteOptions,
  ): Promise<{ readonly object: ApiObject; readonly isNew: boolean }>
  /** The object if finalizers delay its removal; otherwise its last state. */
  delete(
    requester: Requester,
    target: Target,
    options?: DeleteOptions,
  ): Promise<{ readonly object: ApiObject; readonly isRemoved: boolean }>
  deleteCollection(
    requester: Requester,
    target: Target,
    selection: ListOptions,
    options?: DeleteOptions,
  ): Promise<ApiList>
}
