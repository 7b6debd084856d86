import type { ApiList, ApiObject } from '../../model/api-object.ts'
import type {
  DeleteOptions,
  ObjectPatch,
  ReadOptions,
  WriteOptions,
} from '../../model/object-operations.ts'
import type { Verb } from '../../model/resource-type.ts'

/** A resource in one version, as paths name it. */
export interface ResourceName {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  readonly plural: string
}

/** The name of an object of a resource. */
export interface ObjectName {
  /** Empty for cluster-scoped objects. */
  readonly namespace: string
  readonly name: string
}

/** A resource that a plane serves, in its preferred version. */
export interface ServedResource extends ResourceName {
  readonly kind: string
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
}

/** The objects that a list or a watch includes. */
export interface Selection {
  /** Empty or absent for all namespaces. */
  readonly namespace?: string
  readonly labelSelector?: string
  readonly fieldSelector?: string
}

export interface PageOptions extends Selection {
  /** Objects per page; 500 if absent. */
  readonly pageSize?: number
}

export interface WatchOptions extends Selection {
  /** Only later changes are sent. */
  readonly resourceVersion: string
  /** Ends the watch. */
  readonly signal: AbortSignal
}

/** A watch ends with an error: KubeError `expired` if changes after its version were dropped. */
export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: ApiObject }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string }

/** The options of a patch, such as the subresource. */
export interface PatchOptions extends WriteOptions {
  /** Empty or absent for the resource itself. */
  readonly subresource?: string
}

/**
 * Access of a controller to one plane. The namespace and name of written objects are those of
 * their metadata. All methods throw KubeError.
 */
export interface PlaneClient {
  readonly plane: string
  /**
   * A client whose writes fail with 409 after the object is gone, for writes that are decided by the
   * object alone: a reset of the plane then ends them. Over HTTP, only the leader's fence applies.
   */
  whileExists(resource: ResourceName, object: ApiObject): PlaneClient
  get(resource: ResourceName, name: ObjectName, options?: ReadOptions): Promise<ApiObject>
  /** Reads pages when the caller asks for them. */
  pages(resource: ResourceName, options?: PageOptions): AsyncIterable<ApiList>
  create(resource: ResourceName, object: ApiObject, options?: WriteOptions): Promise<ApiObject>
  update(resource: ResourceName, object: ApiObject, options?: WriteOptions): Promise<ApiObject>
  /** Replaces a subresource such as `status` or `finalize`. */
  updateSubresource(
    resource: ResourceName,
    subresource: string,
    object: ApiObject,
    options?: WriteOptions,
  ): Promise<ApiObject>
  patch(
    resource: ResourceName,
    name: ObjectName,
    patch: ObjectPatch,
    options?: PatchOptions,
  ): Promise<ApiObject>
  delete(resource: ResourceName, name: ObjectName, options?: DeleteOptions): Promise<void>
  deleteCollection(
    resource: ResourceName,
    selection: Selection,
    options?: DeleteOptions,
  ): Promise<void>
  /** Changes after a resource version, in order. */
  watch(resource: ResourceName, options: WatchOptions): AsyncIterable<WatchEvent>
  /** The resources that the plane serves. */
  resources(): Promise<readonly ServedResource[]>
}
