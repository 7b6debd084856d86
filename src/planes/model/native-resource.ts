import type { JsonObject } from '../../lib/json/json.ts'
import type { StoredObject } from '../../store/objects/model/stored-object.ts'
import type { ApiObject } from './api-object.ts'
import type { DeleteOptions, Requester, Target } from './object-operations.ts'
import type { FieldError } from './field-error.ts'
import type { ChangeSubscription } from '../../store/objects/model/change-subscriber.ts'
import type { ResourceStore } from './resource-store.ts'
import type { ResourceType } from './resource-type.ts'
import type { UserInfo } from './user-info.ts'

/** A plane, for the objects that it has from the start. */
export interface PlaneIdentity {
  readonly plane: string
  /** Second of the creation of the cluster. */
  readonly createdTime: Date
  /** A uid that depends only on the plane and the seed. */
  readonly uidOf: (seed: string) => string
}

/** The circumstances of a write. */
export interface WriteContext {
  readonly plane: string
  readonly user: UserInfo
  readonly version: string
  /** Empty for the resource itself. */
  readonly subresource: string
  readonly now: Date
}

/** The circumstances of a deletion. */
export interface DeleteContext extends WriteContext {
  /** Absent if the request has none. */
  readonly propagationPolicy?: DeleteOptions['propagationPolicy'] & string
}

/** The rules of one native resource. All functions are pure. */
export interface Strategy {
  /** Sets the fields that the server decides, before admission. */
  prepareCreate?(object: ApiObject, context: WriteContext): ApiObject
  prepareUpdate?(object: ApiObject, old: ApiObject, context: WriteContext): ApiObject
  /** Violations that the schema cannot express. `old` is null for creations. */
  validate?(
    object: ApiObject,
    old: ApiObject | null,
    context: WriteContext,
  ): readonly FieldError[] | Promise<readonly FieldError[]>
  /** Warnings for the sender of a valid creation or change. `old` is null for creations. */
  warnings?(object: ApiObject, old: ApiObject | null, context: WriteContext): readonly string[]
  /** Changes an object that a DELETE marks as deleted, for example its finalizers or phase. */
  prepareDelete?(object: ApiObject, context: DeleteContext): ApiObject
  /** Warnings for the sender of a DELETE. */
  deletionWarnings?(object: ApiObject, context: DeleteContext): readonly string[]
  /** Whether something other than `metadata.finalizers` still delays the removal. */
  isFinalizing?(object: ApiObject): boolean
  /** Objects that the commit of a creation also creates, such as a namespace's service account. */
  companions?(object: ApiObject, context: WriteContext): readonly ApiObject[]
}

/** Handles POST and PUT to a subresource such as `token`. Returns the body of the response. */
export type SubresourceHandler = (request: {
  readonly context: WriteContext
  /** The object of the path. */
  readonly object: ApiObject
  readonly body: ApiObject
  readonly dryRun: boolean
}) => Promise<ApiObject>

/** A request to an endpoint, after authorization. */
export interface EndpointRequest {
  readonly target: Target
  readonly requester: Requester
  readonly query: URLSearchParams
  /** Aborted when the client is gone or the server shuts down. */
  readonly signal: AbortSignal
}

/** The start of a watch. */
export interface EndpointWatch extends EndpointRequest {
  /** Changes after this revision are sent; null to begin with the current items. */
  readonly from: bigint | null
}

/** Receives the events of a watch. Callbacks must not throw. */
export interface EndpointSubscriber {
  readonly onEvent: (
    type: 'ADDED' | 'MODIFIED' | 'DELETED',
    item: JsonObject,
    revision: bigint,
  ) => void
  /** The subscription has ended because the next changes are no longer available. */
  readonly onLost: () => void
  /** Resolves when the subscriber can receive more old changes. */
  readonly ready: () => Promise<void>
}

/** The result of a POST. */
export interface EndpointResponse {
  /** 201 if something was created. */
  readonly status: 200 | 201
  readonly body: JsonObject
}

/** Text or bytes in order. The server asks for the next one when the client has taken the last. */
export type EndpointChunks = AsyncIterable<string | Buffer>

/** Responses that are sent while they are produced. */
export interface StreamedResponses {
  readonly verb: 'get' | 'create'
  readonly contentType: string
  /** The longest duration of a response. */
  readonly maxAgeSeconds: number
  /**
   * Opens a response. Failures before the first chunk become a Status. `body` has no members if
   * the verb is `get`.
   */
  readonly open: (request: EndpointRequest, body: JsonObject) => Promise<EndpointChunks>
  /**
   * Serializes a failure after the first chunk as the last one. Absent: the server closes the
   * connection, so that the client sees an incomplete response.
   */
  readonly failure?: (status: object) => string
}

/** Serves a subresource. The type declares the verbs and schemas. */
export interface SubresourceEndpoint {
  readonly get?: (request: EndpointRequest) => Promise<JsonObject>
  readonly create?: (request: EndpointRequest, body: JsonObject) => Promise<EndpointResponse>
  /** Whether an empty body of a POST means an object without members. */
  readonly hasOptionalBody?: boolean
  readonly list?: (request: EndpointRequest) => Promise<JsonObject>
  readonly watch?: (
    request: EndpointWatch,
    subscriber: EndpointSubscriber,
  ) => Promise<ChangeSubscription>
  readonly streamed?: StreamedResponses
}

/** A resource that is part of the program. The composition root lists those that it serves. */
export interface NativeResource {
  readonly type: ResourceType
  readonly strategy?: Strategy
  /** Objects that every plane has from the start. They are computed until their first change. */
  readonly initialObjects?: (plane: PlaneIdentity) => readonly ApiObject[]
  /** Whether each server keeps the objects of active planes in memory, as for roles. */
  readonly isConfiguration?: boolean
  /** Answers creations without storing anything, as reviews do. */
  readonly review?: (object: ApiObject, context: WriteContext) => Promise<ApiObject>
  /** Subresources with bodies and verbs that differ from those of objects. */
  readonly endpoints?: Readonly<Record<string, SubresourceEndpoint>>
  /** Subresources other than status and scale whose handlers need the object. */
  readonly subresources?: Readonly<Record<string, SubresourceHandler>>
  /** Completes objects of one plane that were read, for example with a computed status. */
  readonly complete?: (objects: readonly StoredObject[]) => Promise<readonly StoredObject[]>
  /** Whether a plane serves the resource; every plane by default. */
  readonly servedIn?: (plane: string) => boolean
  /** Stores the objects elsewhere than in the table of objects. */
  readonly store?: ResourceStore
}
