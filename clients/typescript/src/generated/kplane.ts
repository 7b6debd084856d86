// Generated from the OpenAPI document "Flotilla fleets and snapshots" by `npm run openapi`.

export interface Condition {
  /** Last time the status changed. */
  readonly lastTransitionTime: string
  /** Explanation for readers. It may be empty. */
  readonly message: string
  /** Generation of the object that was observed. */
  readonly observedGeneration?: number | undefined
  /** Reason in CamelCase. */
  readonly reason: string
  /** True, False or Unknown. */
  readonly status: 'True' | 'False' | 'Unknown'
  /** Type of the condition, in CamelCase. */
  readonly type: string
}

/** A number of clusters, each with its plane. */
export interface Fleet {
  readonly apiVersion: 'kplane.dev/v1'
  readonly kind: 'Fleet'
  /**
   * Standard object's metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  readonly metadata: ObjectMeta
  /** The desired members of a fleet. */
  readonly spec: FleetSpec
  /** The observed members of a fleet. */
  readonly status?: FleetStatus | undefined
}

/** A claimed member of a fleet. */
export interface FleetClaim {
  /** Group and version of this representation of the object. */
  readonly apiVersion: string
  /** Kind of the object, in CamelCase. */
  readonly kind: string
  /** Name of the fleet. */
  readonly fleet: string
  /** Name of the cluster. */
  readonly clusterID: string
  /** ID of the cluster. */
  readonly uid: string
  /** Pending until the member is ready. Failed if it cannot be created. */
  readonly phase: 'Pending' | 'Ready' | 'Failed'
  /**
   * Whether the holder before has released the member with Keep, so that its content is still
   * there. Only in the response to a claim.
   */
  readonly kept?: boolean | undefined
  /** Name that the claim gave for its holder. */
  readonly holder: string
  /** Identifies the claim in renewals and in the release. */
  readonly claimID: string
  /** Start of the claim. */
  readonly claimedTime: string
  /** End of the lease; absent if it has no end. */
  readonly expiresTime?: string | undefined
}

/** Asks for one ready and unclaimed member of a fleet. */
export interface FleetClaimRequest {
  /** Group and version of this representation of the object. */
  readonly apiVersion?: string | undefined
  /** Kind of the object, in CamelCase. */
  readonly kind?: string | undefined
  /** Name of the holder, for people. */
  readonly holder: string
  /** Seconds until the lease ends; without it, it has no end. */
  readonly ttlSeconds?: number | undefined
  /** Selects members by the labels of their clusters. */
  readonly labelSelector?: string | undefined
  /** Name of the only member that will do. */
  readonly clusterID?: string | undefined
  /** Whether to create one more member if none can be claimed. */
  readonly createOnEmpty?: boolean | undefined
}

/** Makes members require the adapters that the fleet declares. */
export interface FleetDeclarationRequest {
  /** UID of the Fleet. */
  readonly uid: string
  /** Generation of the Fleet that the request is based on. */
  readonly generation: number
  /** IDs of the clusters. */
  readonly members: readonly string[]
}

/** The fleet while it is being deleted, or the result once it is gone. */
export type FleetDeletion = Fleet | Status

/** A list of objects of kind Fleet. */
export interface FleetList {
  readonly apiVersion: 'kplane.dev/v1'
  /** The objects. */
  readonly items: readonly Fleet[]
  readonly kind: 'FleetList'
  /** Metadata of a list. */
  readonly metadata: ListMeta
}

export interface FleetMember {
  /** Name of the cluster. */
  readonly clusterID: string
  /** ID of the cluster; absent while the member does not exist. */
  readonly uid?: string | undefined
  /** Pending until the member is ready. Failed if it cannot be created. */
  readonly phase: 'Pending' | 'Ready' | 'Failed'
  /** Explanation for readers. */
  readonly message?: string | undefined
  /** Last time the phase changed. */
  readonly lastTransitionTime?: string | undefined
  /** The lease of a claimed member. */
  readonly claim?: FleetMemberClaim | undefined
  /**
   * Whether the member cannot be claimed until a client asks for its reset, because it may have
   * objects of others.
   */
  readonly resetRequired?: boolean | undefined
}

export interface FleetMemberClaim {
  /** Name that the claim gave for its holder. */
  readonly holder: string
  /** Identifies the claim in renewals and in the release. */
  readonly claimID: string
  /** Start of the claim. */
  readonly claimedTime: string
  /** End of the lease; absent if it has no end. */
  readonly expiresTime?: string | undefined
}

/** A page of the members of a fleet, in desired order. */
export interface FleetMemberList {
  /** Group and version of this representation of the object. */
  readonly apiVersion: string
  /** Kind of the object, in CamelCase. */
  readonly kind: string
  /** Metadata of a page of members. */
  readonly metadata: FleetMemberListMeta
  /** The members. */
  readonly items: readonly FleetMember[]
}

export interface FleetMemberListMeta {
  /** Version of the list. Watches start at it. */
  readonly resourceVersion: string
  /** Token for the next page; absent on the last page. */
  readonly continue?: string | undefined
  /** Number of members after this page. */
  readonly remainingItemCount?: number | undefined
}

/** Asks for the reset of unclaimed members to the template. */
export interface FleetRecycleRequest {
  /** Group and version of this representation of the object. */
  readonly apiVersion?: string | undefined
  /** Kind of the object, in CamelCase. */
  readonly kind?: string | undefined
  /** Name of the cluster; without it, all members that need a reset. */
  readonly clusterID?: string | undefined
}

/** The members that will be reset. */
export interface FleetRecycling {
  /** Group and version of this representation of the object. */
  readonly apiVersion: string
  /** Kind of the object, in CamelCase. */
  readonly kind: string
  /** Names of the clusters. */
  readonly clusterIDs: readonly string[]
}

/** The end of a claim. */
export interface FleetRelease {
  /** Group and version of this representation of the object. */
  readonly apiVersion: string
  /** Kind of the object, in CamelCase. */
  readonly kind: string
  /** Name of the cluster. */
  readonly clusterID: string
  /**
   * Recycle returns the member to its template, Delete replaces it, and Keep leaves it as it is.
   */
  readonly then: 'Recycle' | 'Delete' | 'Keep'
}

/** Ends a claim. */
export interface FleetReleaseRequest {
  /** Group and version of this representation of the object. */
  readonly apiVersion?: string | undefined
  /** Kind of the object, in CamelCase. */
  readonly kind?: string | undefined
  /** Name of the cluster. */
  readonly clusterID: string
  /** ID of the claim. */
  readonly claimID: string
  /**
   * Recycle returns the member to its template, Delete replaces it, and Keep leaves it as it is.
   */
  readonly then?: 'Recycle' | 'Delete' | 'Keep' | undefined
}

/** Extends the lease of a claim. */
export interface FleetRenewal {
  /** Group and version of this representation of the object. */
  readonly apiVersion?: string | undefined
  /** Kind of the object, in CamelCase. */
  readonly kind?: string | undefined
  /** Name of the cluster. */
  readonly clusterID: string
  /** ID of the claim. */
  readonly claimID: string
  /** Seconds until the lease ends. By default, as before. */
  readonly ttlSeconds?: number | undefined
}

export interface FleetRollingUpdate {
  /**
   * The most members that may be unavailable during an update: a number or a percentage of
   * replicas. The default is 25%.
   */
  readonly maxUnavailable?: number | string | undefined
}

export interface FleetSpec {
  /** Desired number of members. */
  readonly replicas: number
  /**
   * Prefix of the names of members, which a number of four digits or more follows, such as rl-0000.
   * The default is the name of the fleet and a hyphen. Ignored if names has items.
   */
  readonly namePrefix?: string | undefined
  /** Names of the members, in order. Its length must equal replicas. */
  readonly names?: readonly string[] | undefined
  /** Seconds after which the fleet is deleted; without a value it stays. */
  readonly ttlSeconds?: number | undefined
  /**
   * Start of ttlSeconds: the creation of the fleet, the first time that it was ready, or the first
   * claim.
   */
  readonly ttlFrom?: 'Created' | 'Ready' | 'Claimed' | undefined
  /**
   * Whether members stay or are deleted when the fleet is deleted. The propagationPolicy of a
   * request has precedence.
   */
  readonly deletionPolicy?: 'Orphan' | 'Delete' | undefined
  /**
   * Whether surplus members are released or deleted. Members with the annotation
   * kplane.dev/remove-first are removed first, then those with the highest number. Claimed members
   * stay.
   */
  readonly scaleDownPolicy?: 'Orphan' | 'Delete' | undefined
  /**
   * Initial content of members, written when they are created. In string values, ${name} is the
   * name of the member and ${index} its number.
   */
  readonly template?: FleetTemplate | undefined
  /** How members follow a change of the template. */
  readonly updateStrategy?: FleetUpdateStrategy | undefined
  /**
   * When a member is ready: when its plane answers, or when the condition Ready of its cluster is
   * True for the current generation.
   */
  readonly readiness?: 'Plane' | 'Conditions' | undefined
  /**
   * Adapters that must report on members and their node pools before they are ready, and finalize
   * them before they are removed. Without a value, readiness Plane requires none, and readiness
   * Conditions those of the server. Fleets from before this field require those of the server.
   */
  readonly requiredAdapters?: readonly string[] | undefined
  /** Members to keep ready and unclaimed, in addition to the claimed ones. Excludes names. */
  readonly minReady?: number | undefined
  /** Whether only the status is updated. */
  readonly paused?: boolean | undefined
}

export interface FleetStatus {
  /** Generation of the spec that the status describes. */
  readonly observedGeneration?: number | undefined
  /** Number of members. */
  readonly replicas?: number | undefined
  /** Number of ready members. */
  readonly readyReplicas?: number | undefined
  /** Number of ready members without a claim. */
  readonly availableReplicas?: number | undefined
  /** Number of members made from the current template. */
  readonly updatedReplicas?: number | undefined
  /** Number of claimed members. */
  readonly claimedReplicas?: number | undefined
  /** Number of members that cannot be created. */
  readonly failedReplicas?: number | undefined
  /** The first 1000 members in desired order. */
  readonly members?: readonly FleetMember[] | undefined
  /** Whether the fleet has more members: see fleets/{name}/members. */
  readonly membersTruncated?: boolean | undefined
  /** First time that all members were ready. */
  readonly readyTime?: string | undefined
  /** Start of the first claim. */
  readonly firstClaimTime?: string | undefined
  /** Ready, Progressing, ScalingDown, Degraded, Deleting and ResetRequired. */
  readonly conditions?: readonly Condition[] | undefined
}

export interface FleetTemplate {
  /** Labels of the cluster, in addition to kplane.dev/fleet. */
  readonly labels?: { readonly [key: string]: string } | undefined
  /** Spec of the cluster, as in the HyperFleet API. */
  readonly spec?: { readonly [key: string]: unknown } | undefined
  /** Node pools of the cluster. */
  readonly nodePools?: readonly TemplateNodePool[] | undefined
  /** Kubernetes manifests that the plane of the cluster has at first, up to 1 MiB. */
  readonly objects?: readonly {
    readonly apiVersion?: string | undefined
    readonly kind?: string | undefined
    readonly metadata?: ObjectMeta | undefined
    readonly [key: string]: unknown
  }[] | undefined
  /** A Scenario with the content. It excludes the other fields of the template. */
  readonly scenarioRef?: ScenarioReference | undefined
}

export interface FleetUpdateStrategy {
  /**
   * OnReplenish changes new members only. RollingUpdate and Recreate replace unclaimed members,
   * step by step or all together.
   */
  readonly type?: 'OnReplenish' | 'RollingUpdate' | 'Recreate' | undefined
  /** Options of RollingUpdate. */
  readonly rollingUpdate?: FleetRollingUpdate | undefined
}

export interface ListMeta {
  /** Token for the next page; empty on the last page. */
  readonly continue?: string | undefined
  /** Number of objects after this page, if known. */
  readonly remainingItemCount?: number | undefined
  /** Version of the list. Watches start at it. */
  readonly resourceVersion?: string | undefined
  /** Deprecated; the server no longer sets it. */
  readonly selfLink?: string | undefined
}

export interface ManagedFieldsEntry {
  /** Name of the manager. */
  readonly manager?: string | undefined
  /** `Apply`, or `Update` for all other writes. */
  readonly operation?: string | undefined
  /** API version of the field names. */
  readonly apiVersion?: string | undefined
  /** Time of the last change of this entry. */
  readonly time?: string | undefined
  /** Format of the fields: `FieldsV1`. */
  readonly fieldsType?: string | undefined
  /** The set of fields in the format FieldsV1. */
  readonly fieldsV1?: { readonly [key: string]: unknown } | undefined
  /** Subresource that the manager wrote; empty for the resource itself. */
  readonly subresource?: string | undefined
}

export interface ObjectMeta {
  /**
   * Name must be unique within a namespace. Is required when creating resources, although some
   * resources may allow a client to request the generation of an appropriate name automatically.
   * Name is primarily intended for creation idempotence and configuration definition. Cannot be
   * updated. More info:
   * https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names
   */
  readonly name?: string | undefined
  /** Prefix of a name that the server generates if there is no name. */
  readonly generateName?: string | undefined
  /**
   * Namespace defines the space within which each name must be unique. An empty namespace is
   * equivalent to the "default" namespace, but "default" is the canonical representation. Must be a
   * DNS_LABEL. Cannot be updated. More info:
   * https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces
   */
  readonly namespace?: string | undefined
  /** Deprecated; the server no longer sets it. */
  readonly selfLink?: string | undefined
  /**
   * UID is the unique in time and space value for this object. It is typically generated by the
   * server on successful creation of a resource and is not allowed to change on PUT operations.
   * Populated by the system. Read-only. More info:
   * https://kubernetes.io/docs/concepts/overview/working-with-objects/names#uids
   */
  readonly uid?: string | undefined
  /** Opaque version of the object for concurrent changes and watches. */
  readonly resourceVersion?: string | undefined
  /**
   * A sequence number representing a specific generation of the desired state. Populated by the
   * system. Read-only.
   */
  readonly generation?: number | undefined
  /**
   * CreationTimestamp is a timestamp representing the server time when this object was created. It
   * is not guaranteed to be set in happens-before order across separate operations. Clients may not
   * set this value. It is represented in RFC3339 form and is in UTC. Populated by the system.
   * Read-only. Null for lists. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  readonly creationTimestamp?: string | undefined
  /** Time of the deletion request. The object exists until it has no finalizers. */
  readonly deletionTimestamp?: string | undefined
  /** Seconds that the object may take to terminate. */
  readonly deletionGracePeriodSeconds?: number | undefined
  /**
   * Map of string keys and values that can be used to organize and categorize (scope and select)
   * objects. May match selectors of replication controllers and services. More info:
   * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels
   */
  readonly labels?: { readonly [key: string]: string } | undefined
  /**
   * Annotations is an unstructured key value map stored with a resource that may be set by external
   * tools to store and retrieve arbitrary metadata. They are not queryable and should be preserved
   * when modifying objects. More info:
   * https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations
   */
  readonly annotations?: { readonly [key: string]: string } | undefined
  /** Names of controllers that must act before the object is removed. */
  readonly finalizers?: readonly string[] | undefined
  /** Objects that this object depends on. Without owners it is garbage-collected. */
  readonly ownerReferences?: readonly OwnerReference[] | undefined
  /** Which manager set which fields. The server maintains it. */
  readonly managedFields?: readonly ManagedFieldsEntry[] | undefined
}

export interface OwnerReference {
  /** API version of the owner. */
  readonly apiVersion: string
  /** Kind of the owner. */
  readonly kind: string
  /** Name of the owner. */
  readonly name: string
  /** UID of the owner. */
  readonly uid: string
  /** Whether the owner is the managing controller. */
  readonly controller?: boolean | undefined
  /** Whether a foreground deletion of the owner waits for this object. */
  readonly blockOwnerDeletion?: boolean | undefined
}

export interface Preconditions {
  /** Resource version that the object must have. */
  readonly resourceVersion?: string | undefined
  /** UID that the object must have. */
  readonly uid?: string | undefined
}

/** The details of a problem (RFC 9457). */
export interface Problem {
  /** The URI of the problem type. */
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The path of the request. */
  readonly instance: string
  readonly code: string
  readonly timestamp: string
  /** The ID of the request. */
  readonly trace_id: string
  readonly errors?: readonly Violation[] | undefined
}

export type RawExtension = { readonly [key: string]: unknown }

/** The number of replicas of an object. */
export interface Scale {
  /**
   * APIVersion defines the versioned schema of this representation of an object. Servers should
   * convert recognized schemas to the latest internal value, and may reject unrecognized values.
   * More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
   */
  readonly apiVersion?: string | undefined
  /**
   * Kind is a string value representing the REST resource this object represents. Servers may infer
   * this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More
   * info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  readonly kind?: string | undefined
  /**
   * Standard object's metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  readonly metadata?: ObjectMeta | undefined
  /** The desired number of replicas. */
  readonly spec?: ScaleSpec | undefined
  /** The observed number of replicas. */
  readonly status?: ScaleStatus | undefined
}

export interface ScaleSpec {
  /** Desired number of replicas. */
  readonly replicas?: number | undefined
}

export interface ScaleStatus {
  /** Observed number of replicas. */
  readonly replicas: number
  /** Label selector of the replicas. */
  readonly selector?: string | undefined
}

/** Initial content of members that several fleets share. */
export interface Scenario {
  readonly apiVersion: 'kplane.dev/v1'
  readonly kind: 'Scenario'
  /**
   * Standard object's metadata. More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
   */
  readonly metadata: ObjectMeta
  /**
   * Initial content of members. In string values, ${name} is the name of the member and ${index}
   * its number.
   */
  readonly spec?: ScenarioSpec | undefined
}

/** A list of objects of kind Scenario. */
export interface ScenarioList {
  readonly apiVersion: 'kplane.dev/v1'
  /** The objects. */
  readonly items: readonly Scenario[]
  readonly kind: 'ScenarioList'
  /** Metadata of a list. */
  readonly metadata: ListMeta
}

export interface ScenarioReference {
  /** Name of the Scenario. */
  readonly name: string
}

export interface ScenarioSpec {
  /** Labels of the cluster, in addition to kplane.dev/fleet. */
  readonly labels?: { readonly [key: string]: string } | undefined
  /** Spec of the cluster, as in the HyperFleet API. */
  readonly spec?: { readonly [key: string]: unknown } | undefined
  /** Node pools of the cluster. */
  readonly nodePools?: readonly TemplateNodePool[] | undefined
  /** Kubernetes manifests that the plane of the cluster has at first, up to 1 MiB. */
  readonly objects?: readonly {
    readonly apiVersion?: string | undefined
    readonly kind?: string | undefined
    readonly metadata?: ObjectMeta | undefined
    readonly [key: string]: unknown
  }[] | undefined
}

/** The content of a cluster and its plane. */
export interface Snapshot {
  /** The ID or the name of the cluster in the request. */
  readonly cluster: string
  /** The ID of the cluster. */
  readonly id: string
  /** The time of the snapshot. */
  readonly snapshotTime: string
  /** The snapshot includes every change of the cluster up to this version. */
  readonly resourceVersion: string
  /** The number of resources that are available. */
  readonly liveResources: number
  /** The resources with items, first those of the cluster. */
  readonly resources: readonly SnapshotResource[]
}

/** The snapshot, or a change that clients apply to it. */
export interface SnapshotEvent {
  readonly type: 'SNAPSHOT' | 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  /** The API group of a changed object. */
  readonly group?: string | undefined
  /** The plural of a changed object. */
  readonly resource?: string | undefined
  readonly object: { readonly [key: string]: unknown }
  readonly resource_version: string
}

/** The objects of one resource. */
export interface SnapshotResource {
  /** The API group; empty for the core group, and `hyperfleet` for the cluster. */
  readonly group: string
  /** The plural of the kind */
  readonly resource: string
  /** Always true, because a snapshot is complete. */
  readonly synced: boolean
  /** The number of items. */
  readonly itemCount: number
  /** The objects, without managedFields. */
  readonly items: readonly { readonly [key: string]: unknown }[]
}

/** The result of an operation, also of a failed one. */
export interface Status {
  /**
   * APIVersion defines the versioned schema of this representation of an object. Servers should
   * convert recognized schemas to the latest internal value, and may reject unrecognized values.
   * More info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
   */
  readonly apiVersion?: string | undefined
  /** HTTP status code. */
  readonly code?: number | undefined
  /** Details of a failure. */
  readonly details?: StatusDetails | undefined
  /**
   * Kind is a string value representing the REST resource this object represents. Servers may infer
   * this from the endpoint the client submits requests to. Cannot be updated. In CamelCase. More
   * info:
   * https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
   */
  readonly kind?: string | undefined
  /** Explanation for readers. */
  readonly message?: string | undefined
  /** Metadata of a list. */
  readonly metadata?: ListMeta | undefined
  /** Reason for programs, such as NotFound. */
  readonly reason?: string | undefined
  /** Success or Failure. */
  readonly status?: string | undefined
}

export interface StatusCause {
  /** Path of the field. */
  readonly field?: string | undefined
  /** Explanation for readers. */
  readonly message?: string | undefined
  /** Reason for programs. */
  readonly reason?: string | undefined
}

export interface StatusDetails {
  /** Causes of the failure. */
  readonly causes?: readonly StatusCause[] | undefined
  /** Group of the resource. */
  readonly group?: string | undefined
  /** Resource or kind. */
  readonly kind?: string | undefined
  /** Name of the object. */
  readonly name?: string | undefined
  /** Seconds after which clients may retry. */
  readonly retryAfterSeconds?: number | undefined
  /** UID of the object. */
  readonly uid?: string | undefined
}

export interface TemplateNodePool {
  /** Name of the node pool, unique in the template. */
  readonly name: string
  /** Labels of the node pool. */
  readonly labels?: { readonly [key: string]: string } | undefined
  /** Spec of the node pool, as in the HyperFleet API. */
  readonly spec?: { readonly [key: string]: unknown } | undefined
}

/** A violated rule. */
export interface Violation {
  /** A path in the body or the name of a parameter. */
  readonly field: string
  readonly message: string
  readonly constraint?: string | undefined
  /** The rejected value. */
  readonly value?: unknown
}
