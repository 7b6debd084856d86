// Generated from the OpenAPI document "HyperFleet API, as served by Flotilla" by `npm run openapi`.

export interface AdapterCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string | undefined
  readonly message?: string | undefined
  readonly last_transition_time: string
}

export interface AdapterLease {
  /** Identifies the lease in reports, renewals and returns. */
  readonly token: string
  /** The end of the lease by the clock of the database. */
  readonly expires_time: string
}

export interface AdapterLeaseRenewal {
  /** The duration of the lease from now. */
  readonly leaseSeconds?: number | undefined
}

/** The adapters of a kind, with their work on the resources that the caller may list. */
export interface AdapterList {
  readonly kind: 'AdapterList'
  /** The kind of the resources. */
  readonly of: string
  /** When the server counted the resources that are not ready. */
  readonly time: string
  /** Whether all adapters and reasons are listed, at most 200 each, and their counts are exact. */
  readonly complete: boolean
  /** Silent adapters first, then failing ones. */
  readonly items: readonly AdapterSummary[]
}

export interface AdapterSeries {
  readonly adapter: string
  /**
   * Resources that are not ready because its report is missing, outdated or False, the most in the
   * step. They are counted up to a minute before the end of a step.
   */
  readonly waiting: SeriesValues
  /** Accepted reports, including heartbeats. */
  readonly reports_per_second: SeriesValues
  /**
   * The average time from the last change of a resource to the adapter's first report at the new
   * generation. Null without such a report. Times above a day do not count.
   */
  readonly latency_seconds: SeriesValues
}

export interface AdapterStatus {
  readonly adapter: string
  readonly observed_generation: number
  readonly conditions: readonly AdapterCondition[]
  readonly data: { readonly [key: string]: unknown }
  readonly metadata?: ReportMetadata | undefined
  readonly created_time: string
  readonly last_report_time: string
}

export interface AdapterStatusCreateRequest {
  readonly adapter: string
  /**
   * The generation of the spec that the adapter observed: copy it from the resource. PUT requires
   * it. A POST without it counts for generation 0, with a `Warning`, and never makes a newer spec
   * Ready.
   */
  readonly observed_generation?: number | null | undefined
  /** When the adapter made the observation. The default is the server's current time. */
  readonly observed_time?: string | null | undefined
  readonly conditions: readonly ReportedCondition[]
  readonly data?: { readonly [key: string]: unknown } | null | undefined
  readonly metadata?: ReportMetadata | undefined
}

export interface AdapterStatusList {
  readonly kind: 'AdapterStatusList'
  readonly page: number
  /** The number of items in this response. */
  readonly size: number
  readonly total: number
  readonly items: readonly (AdapterStatus | PartialAdapterStatus)[]
  readonly resource_version: ResourceVersion
}

export interface AdapterSummary {
  readonly adapter: string
  /** Whether the kind requires it of all resources. */
  readonly required: boolean
  /** The last accepted report, about 5 seconds late. Null without a report within 30 days. */
  readonly last_report_time: string | null
  /** Accepted reports, including heartbeats. The average of about a minute. */
  readonly reports_per_second: number
  /**
   * Set if a resource has waited for 5 minutes for the adapter, which holds no lease and has
   * reported on no resource in this time. It is the time of the last report, or without one, since
   * when the first resource waits.
   */
  readonly silent_since: string | null
  /** Resources of which it reports False at the current generation. */
  readonly failing: number
  /** Other resources that are not ready because its report is missing or outdated. */
  readonly waiting: number
  /** The most generations by which one of its reports is behind a resource that waits. */
  readonly generations_behind: number
  /** The search that finds its failing and waiting resources. Null without any. */
  readonly search: string | null
  /** Failing and waiting resources by reason. Failing ones first. */
  readonly reasons: readonly {
    /** The reason in the reports of a failing adapter; otherwise `Missing`, `Behind` or `Ahead`. */
    readonly reason: string
    readonly state: 'failing' | 'waiting'
    readonly count: number
    /** Resources in this state since at most an hour. */
    readonly last_hour: number
    /** Since when the first resource is in this state. */
    readonly oldest: string
    /** Since when the last resource is in this state. */
    readonly newest: string
    /** The search that finds the resources. */
    readonly search: string | null
  }[]
  /**
   * The queue from which it leases work. Null if it does not lease. The queue follows changes only
   * while the adapter leases. Counts above 10 000 are cut.
   */
  readonly queue: {
    /** Resources that wait to be leased. */
    readonly queued: number
    readonly leased: number
    /** Resources that are due again after a delay. */
    readonly delayed: number
    /** When the oldest current lease began. */
    readonly oldest_lease_time: string | null
    /** About the last request for a lease, to a minute. Null for callers of one tenant. */
    readonly used_time: string | null
  } | null
}

export interface AdapterWorkItem {
  /** Why the resource is due. `Requested`: the adapter asked for it with `X-Lease-Again`. */
  readonly reason: 'NewGeneration' | 'ReportExpired' | 'Deletion' | 'Requested'
  /** The number of leases of the resource since the last one with a result. */
  readonly attempt: number
  readonly lease: AdapterLease
  readonly resource: Resource
}

export interface AdapterWorkList {
  readonly kind: 'AdapterWorkList'
  /** The number of items. */
  readonly size: number
  readonly items: readonly AdapterWorkItem[]
}

export interface AdapterWorkRequest {
  /** The kinds to lease resources of. The default is every kind that requires the adapter. */
  readonly kinds?: readonly string[] | undefined
  /** A search that leased resources match, as in lists. */
  readonly search?: string | undefined
  /** The maximum number of resources to lease. */
  readonly max?: number | undefined
  /** The duration of the leases. Renew them if the work takes longer. */
  readonly leaseSeconds?: number | undefined
  /**
   * Resources whose last report is older are due, as for heartbeats. Without it, age does not
   * matter. All workers of an adapter should send the same value.
   */
  readonly maxAgeSeconds?: number | undefined
  /** How long to wait if nothing is due. */
  readonly waitSeconds?: number | undefined
}

/** Free-form notes of tools and people. Searches cannot select by annotation. */
export type Annotations = { readonly [key: string]: string }

/** A request in the audit log. Texts are empty if unknown. */
export interface AuditEvent {
  /** When the request arrived. */
  readonly time: string
  readonly id: string
  readonly level: 'Metadata' | 'Request' | 'RequestResponse'
  /** The X-Request-ID of the response. */
  readonly request_id: string
  /** The authenticated user. */
  readonly user: string
  readonly groups: readonly string[]
  /** The user that the caller acted as. */
  readonly impersonated_user?: string | undefined
  readonly tenant: string
  /** The address of the client. Behind trusted proxies, from X-Forwarded-For. */
  readonly source_address: string
  readonly user_agent: string
  /** Such as create, patch, delete or forcedelete. */
  readonly verb: string
  readonly method: string
  /** Without the query. */
  readonly path: string
  /** The template of the path. */
  readonly route: string
  /** The plane; empty for the HyperFleet API. */
  readonly plane: string
  readonly api_group: string
  /** The plural of the kind. */
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
  readonly resource_id: string
  /** 499 if the client disconnected. */
  readonly status: number
  /**
   * `unknown`: the client closed the connection before the response, so a write may have succeeded.
   * `lost` marks a gap: `dropped` events are missing.
   */
  readonly outcome: 'succeeded' | 'denied' | 'failed' | 'unknown' | 'lost'
  /** The code of the error. */
  readonly code: string
  readonly detail: string
  readonly duration_ms: number
  /** The number of missing events. */
  readonly dropped?: number | undefined
  /** The request changed nothing. */
  readonly dry_run?: 'All' | undefined
  /** The body of the request: an object, or the array of a JSON Patch. */
  readonly request?: unknown
  /** The body of the response. */
  readonly response?: unknown
}

export interface AuditEventList {
  readonly kind: 'AuditEventList'
  readonly items: readonly AuditEvent[]
  /** The `before` of the next page; null on the last page. */
  readonly next: string | null
}

/** The resources of a kind with Ready False, in groups. */
export interface Breakdown {
  readonly kind: 'Breakdown'
  /** The kind of the resources. */
  readonly of: string
  /** When the server counted. */
  readonly time: string
  readonly by: readonly string[]
  /** All resources that match the search. Null if there are too many to count. */
  readonly total: number | null
  /** Those with Ready False. */
  readonly not_ready: number
  /** Those of which a required adapter reports False at the current generation. */
  readonly failing: number
  /** The other ones that are not ready. */
  readonly waiting: number
  /**
   * Whether all resources with Ready False are grouped. Of more than 20 000, a sample is: the
   * counts of rows are then estimates.
   */
  readonly complete: boolean
  /** Failing rows first, then by count. */
  readonly items: readonly BreakdownRow[]
  /** The rows beyond `limit`, and the sum of their counts. */
  readonly other: {
    readonly rows: number
    readonly count: number
  }
}

export interface BreakdownRow {
  /**
   * The value of each field in `by`; null if it is absent. `reason` is the reason in the report of
   * a failing adapter, or `Missing`, `Behind` or `Ahead`. Values of labels and spec are cut to 200
   * characters.
   */
  readonly values: { readonly [key: string]: string | null }
  /** Resources. One can be in several rows. */
  readonly count: number
  readonly failing: number
  readonly waiting: number
  /** All resources with the same labels and spec, ready or not. */
  readonly total: number | null
  /** `count` as a share of `total`, from 0 to 1. */
  readonly share: number | null
  /** Resources in this state since at most an hour. */
  readonly last_hour: number
  /** Resources in this state since at most a day. */
  readonly last_day: number
  /** Since when the first resource is in this state. */
  readonly oldest: string
  /** Since when the last resource is in this state. */
  readonly newest: string
  /** The ID of the resource that was last. */
  readonly example: string
  /** The most generations by which a report is behind. Null if none is. */
  readonly generations_behind: number | null
  /** The search that finds the resources. Null for reasons without adapters. */
  readonly search: string | null
  /** The last creation or update of `example` before it came into this state. */
  readonly change: PrecedingChange | null
}

export interface ChangeList {
  readonly kind: 'ChangeList'
  /** Newest first. */
  readonly items: readonly ResourceChange[]
  /** The value of `before` for the next page. Null on the last page. */
  readonly next: string | null
  /**
   * Whether the log still contains the creation of the resource. The log drops old changes
   * (`FEED_RETENTION`).
   */
  readonly complete: boolean
}

export interface ChangedCondition {
  readonly type: string
  readonly old: ConditionState
  readonly new: ConditionState
}

export interface ChangedObject {
  readonly old: { readonly [key: string]: unknown } | null
  readonly new: { readonly [key: string]: unknown } | null
}

export interface Cluster {
  readonly kind: 'Cluster'
  readonly id: string
  readonly href: string
  readonly name: string
  readonly generation: number
  readonly spec: ClusterSpec
  readonly labels: Labels
  readonly annotations?: Annotations | undefined
  /** The adapters that this resource requires in place of those of its kind. */
  readonly required_adapters?: readonly string[] | undefined
  readonly tenancy?: Tenancy | undefined
  readonly created_time: string
  readonly updated_time: string
  readonly created_by: string
  readonly updated_by: string
  /** When the deletion was requested. */
  readonly deleted_time?: string | undefined
  readonly deleted_by?: string | undefined
  readonly status: ResourceStatus
}

/** The created resource, or the problem of a failed item. */
export interface ClusterBulkItem {
  /** The position of the item in the request, from 0. */
  readonly index: number
  /** The status of a request that creates only this item: 201 if it is created. */
  readonly status: number
  readonly resource?: Cluster | undefined
  readonly error?: Problem | undefined
}

export interface ClusterBulkRequest {
  readonly items: readonly (ClusterCreateRequest | { readonly [key: string]: unknown })[]
  /** Whether nothing is created if one item fails. */
  readonly atomic?: boolean | undefined
}

export interface ClusterBulkResult {
  readonly kind: 'ClusterBulkResult'
  /** The number of created resources. */
  readonly created: number
  /** The number of failed items. */
  readonly failed: number
  /** The result of each item, in the order of the request. */
  readonly items: readonly ClusterBulkItem[]
}

/** The server ignores read-only and unknown fields. */
export interface ClusterCreateRequest {
  /** The server chooses the ID. */
  readonly id?: '' | null | undefined
  readonly kind: 'Cluster'
  readonly name: string
  readonly spec: ClusterSpec
  readonly labels?: Labels | undefined
  readonly annotations?: Annotations | undefined
}

export interface ClusterList {
  readonly kind: 'ClusterList'
  readonly page: number
  /** The number of items in this response. */
  readonly size: number
  readonly total: number
  readonly total_is_estimate?: boolean | undefined
  readonly items: readonly (Cluster | PartialCluster)[]
  readonly resource_version: ResourceVersion
  /** The `after` of the next page; null on the last page. Absent in lists across shards. */
  readonly next?: string | null | undefined
}

export interface ClusterPatchRequest {
  readonly spec?: ClusterSpec | undefined
  readonly labels?: Labels | undefined
  readonly annotations?: Annotations | undefined
}

/**
 * The desired state of the cluster. Any object is valid unless OPENAPI_SCHEMA_PATH replaces this
 * schema.
 */
export type ClusterSpec = { readonly [key: string]: unknown }

/**
 * The state to declare, as for a creation. `name` is optional and must be the name in the path. The
 * server ignores read-only and unknown fields.
 */
export interface ClusterUpsertRequest {
  /** The server chooses the ID. */
  readonly id?: '' | null | undefined
  readonly kind: 'Cluster'
  readonly name?: string | undefined
  readonly spec: ClusterSpec
  readonly labels?: Labels | undefined
  readonly annotations?: Annotations | undefined
}

/** Null if the resource did not have the condition. */
export type ConditionState = {
  readonly status: 'True' | 'False'
  readonly reason?: string | undefined
  readonly message?: string | undefined
} | null

export interface ForceDeleteRequest {
  /** Why the deletion does not wait for the adapters. The server records the reason. */
  readonly reason: string
}

/** Something that happened to a resource. */
export interface HistoryEntry {
  readonly time: string
  /**
   * `deleted` is the request to delete the resource, and `removed` is the end of the deletion.
   * `reported` is an adapter's report that changed conditions.
   */
  readonly type: 'created' | 'updated' | 'deleted' | 'removed' | 'reported'
  readonly kind: string
  readonly id: string
  readonly name: string
  /** The generation after the change. */
  readonly generation: number
  /** The user, or the adapter of a report. Empty if unknown. */
  readonly by: string
  /** The reason of a forced deletion. */
  readonly reason?: string | undefined
  /** The changed values of `spec`, `labels`, `annotations` and `references`. */
  readonly changes: readonly {
    /** A JSON Pointer (RFC 6901) into the resource. */
    readonly path: string
    /** The value before the change. Absent if there was none. */
    readonly old?: unknown
    /** The value after the change. Absent if there is none. */
    readonly new?: unknown
  }[]
  /** The conditions whose status, reason or message changed. */
  readonly conditions?: readonly ChangedCondition[] | undefined
}

export interface HistoryList {
  readonly kind: 'HistoryList'
  /** Newest first. */
  readonly items: readonly HistoryEntry[]
  /** The value of `before` for the next page. Null on the last page. */
  readonly next: string | null
  /**
   * Whether the history contains the creation of the resource, and has lost no change since. Old
   * entries are dropped (`HISTORY_RETENTION`).
   */
  readonly complete: boolean
}

/** The caller of a request, as the server sees it. */
export interface Identity {
  readonly kind: 'Identity'
  /** The name that writes record as `created_by` and `updated_by`. */
  readonly user: string
  readonly groups: readonly string[]
  /** The caller's tenant by dimension. Null without tenancy, and for system callers. */
  readonly tenant: { readonly [key: string]: string } | null
  /** The source of the identity. With `none`, the server asks for no token. */
  readonly authentication: 'none' | 'token' | 'gateway'
  /** When the server stops accepting the token. Null without a token. */
  readonly expires_time: string | null
  /** Whether roles decide what the caller may do. */
  readonly authorization: 'none' | 'rbac'
}

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test'
  /** A path to or into a field that the request can change, such as `/spec`. */
  readonly path: string
  /** The source path of `move` and `copy`. */
  readonly from?: unknown
  /** The value of `add`, `replace` and `test`: any JSON. */
  readonly value?: unknown
}

/**
 * A JSON Patch (RFC 6902). For a resource, it can change `spec`, `labels`, `annotations` and, if
 * the kind has them, `references`; a resource without annotations has an empty object here. For a
 * webhook, it can change the fields of a merge patch. The result must be a valid create request.
 */
export type JsonPatchRequest = readonly JsonPatchOperation[]

export interface KindDescription {
  readonly kind: string
  /** The segment in paths. */
  readonly plural: string
  readonly singular: string
  /** Null for kinds at the root. */
  readonly parent_kind: string | null
  /** Whether adapters report on resources of the kind. */
  readonly has_statuses: boolean
  /** Whether requests for all kinds include the kind. */
  readonly with_all_kinds?: boolean | undefined
  /** The operations that the API serves for the kind. */
  readonly verbs: readonly string[]
  /** The adapters whose reports decide about Ready. */
  readonly required_adapters: readonly string[]
  /** The fields of the spec that `INDEXED_FIELDS` declares, as searches name them. */
  readonly indexed_fields: readonly string[]
  readonly name_min_length: number
  readonly name_max_length: number
  /** The schema of `spec` among the components of this document. */
  readonly spec_schema: string
}

export interface KindList {
  readonly kind: 'KindList'
  /** Built-in kinds first, then configured ones. */
  readonly items: readonly KindDescription[]
}

export interface KindOverview {
  readonly kind: string
  readonly total: number
  /** Resources with Ready True. */
  readonly ready: number
  /** Resources with Ready False. Kinds without statuses have none. */
  readonly not_ready: number
  readonly deleting: number
  /** Resources by status and reason of Ready, Reconciled and Available. */
  readonly conditions: readonly {
    readonly type: string
    readonly status: 'True' | 'False'
    readonly reason: string
    readonly count: number
  }[]
  /**
   * For each required adapter, the resources that are not ready because its report is missing,
   * behind or False. Most resources first.
   */
  readonly waiting_for: readonly {
    readonly adapter: string
    readonly count: number
  }[]
}

export interface KindSeries {
  readonly kind: string
  /** All resources, the most in the step. */
  readonly total: SeriesValues
  /** Resources with Ready False, the most in the step. */
  readonly not_ready: SeriesValues
  /** Changes of resources in the log. */
  readonly changes_per_second: SeriesValues
  /** Accepted reports, including heartbeats. */
  readonly reports_per_second: SeriesValues
}

export interface LabelKeyList {
  readonly kind: 'LabelKeyList'
  /** Sorted. */
  readonly items: readonly string[]
  /**
   * Whether there may be more keys: there are more than `limit`, or the server has read only a
   * sample of the resources.
   */
  readonly truncated: boolean
}

export interface LabelValueList {
  readonly kind: 'LabelValueList'
  /** Sorted. */
  readonly items: readonly string[]
  /**
   * Whether there may be more values: there are more than `limit`, or the server has read only a
   * sample of the resources.
   */
  readonly truncated: boolean
}

export type Labels = { readonly [key: string]: string }

/**
 * A merge patch (RFC 7396). Objects are merged, null removes a field, and any other value replaces
 * the old one. The result must be a valid create request.
 */
export interface MergePatchRequest {
  readonly spec?: { readonly [key: string]: unknown } | undefined
  readonly labels?: { readonly [key: string]: string | null } | null | undefined
  readonly annotations?: { readonly [key: string]: string | null } | null | undefined
}

export interface NodePool {
  readonly kind: 'NodePool'
  readonly id: string
  readonly href: string
  readonly name: string
  readonly generation: number
  readonly spec: NodePoolSpec
  readonly labels: Labels
  readonly annotations?: Annotations | undefined
  /** The adapters that this resource requires in place of those of its kind. */
  readonly required_adapters?: readonly string[] | undefined
  readonly tenancy?: Tenancy | undefined
  readonly created_time: string
  readonly updated_time: string
  readonly created_by: string
  readonly updated_by: string
  /** When the deletion was requested. */
  readonly deleted_time?: string | undefined
  readonly deleted_by?: string | undefined
  readonly owner_references: OwnerReference
  readonly status: ResourceStatus
}

/** The created resource, or the problem of a failed item. */
export interface NodePoolBulkItem {
  /** The position of the item in the request, from 0. */
  readonly index: number
  /** The status of a request that creates only this item: 201 if it is created. */
  readonly status: number
  readonly resource?: NodePool | undefined
  readonly error?: Problem | undefined
}

export interface NodePoolBulkRequest {
  readonly items: readonly (NodePoolCreateRequest | { readonly [key: string]: unknown })[]
  /** Whether nothing is created if one item fails. */
  readonly atomic?: boolean | undefined
}

export interface NodePoolBulkResult {
  readonly kind: 'NodePoolBulkResult'
  /** The number of created resources. */
  readonly created: number
  /** The number of failed items. */
  readonly failed: number
  /** The result of each item, in the order of the request. */
  readonly items: readonly NodePoolBulkItem[]
}

/** The server ignores read-only and unknown fields. */
export interface NodePoolCreateRequest {
  /** The server chooses the ID. */
  readonly id?: '' | null | undefined
  readonly kind: 'NodePool'
  readonly name: string
  readonly spec: NodePoolSpec
  readonly labels?: Labels | undefined
  readonly annotations?: Annotations | undefined
}

export interface NodePoolList {
  readonly kind: 'NodePoolList'
  readonly page: number
  /** The number of items in this response. */
  readonly size: number
  readonly total: number
  readonly total_is_estimate?: boolean | undefined
  readonly items: readonly (NodePool | PartialNodePool)[]
  readonly resource_version: ResourceVersion
  /** The `after` of the next page; null on the last page. Absent in lists across shards. */
  readonly next?: string | null | undefined
}

export interface NodePoolPatchRequest {
  readonly spec?: NodePoolSpec | undefined
  readonly labels?: Labels | undefined
  readonly annotations?: Annotations | undefined
}

/**
 * The desired state of the node pool. Any object is valid unless OPENAPI_SCHEMA_PATH replaces this
 * schema.
 */
export type NodePoolSpec = { readonly [key: string]: unknown }

/**
 * The state to declare, as for a creation. `name` is optional and must be the name in the path. The
 * server ignores read-only and unknown fields.
 */
export interface NodePoolUpsertRequest {
  /** The server chooses the ID. */
  readonly id?: '' | null | undefined
  readonly kind: 'NodePool'
  readonly name?: string | undefined
  readonly spec: NodePoolSpec
  readonly labels?: Labels | undefined
  readonly annotations?: Annotations | undefined
}

/** Counts of all resources that the caller may list, and the load of all servers. */
export interface Overview {
  readonly kind: 'Overview'
  readonly time: string
  /** The counts include every change up to this version. */
  readonly resource_version: string
  readonly kinds: readonly KindOverview[]
  /** The average of the last 10 seconds. */
  readonly changes_per_second: number
  /** Reports that all servers accepted, including heartbeats: the average of about 10 seconds. */
  readonly reports_per_second: number
  /** The age of the oldest change that the log does not contain yet. */
  readonly feed_lag_seconds: number
  /** One entry per minute of the last hour, oldest first. */
  readonly history: readonly OverviewMinute[]
  /** The last 50 changes, newest first. Without `spec` and `labels`. */
  readonly recent: readonly ResourceChange[]
}

export interface OverviewEvent {
  readonly type: 'MODIFIED' | 'BOOKMARK' | 'ERROR'
  /** The `Overview`. Empty in a BOOKMARK. In an ERROR, the problem. */
  readonly object: { readonly [key: string]: unknown }
  readonly resource_version: string
}

export interface OverviewMinute {
  /** The end of the minute. */
  readonly time: string
  /** By kind. */
  readonly total: { readonly [key: string]: number }
  /** By kind. */
  readonly not_ready: { readonly [key: string]: number }
  readonly changes_per_second: number
  readonly reports_per_second: number
}

export interface OwnerReference {
  readonly kind: string
  readonly id: string
  readonly href: string
}

/** The fields of a report that `fields` selects, and always `adapter`. */
export interface PartialAdapterStatus {
  readonly adapter: string
  readonly [key: string]: unknown
}

/** The fields that `fields` selects, and always `id`. */
export interface PartialCluster {
  readonly id: string
  readonly [key: string]: unknown
}

/** The fields that `fields` selects, and always `id`. */
export interface PartialNodePool {
  readonly id: string
  readonly [key: string]: unknown
}

/** The fields that `fields` selects, and always `id`. */
export interface PartialResource {
  readonly id: string
  readonly [key: string]: unknown
}

/** The fields that `fields` selects, and always `id`. */
export interface PartialView {
  readonly id: string
  readonly [key: string]: unknown
}

export interface PrecedingChange {
  readonly id: string
  readonly name: string
  readonly time: string
  readonly type: 'created' | 'updated'
  readonly by: string
  readonly generation: number
  /** JSON Pointers of the values that an update changed, at most ten. */
  readonly paths: readonly string[]
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

export interface QueuedDeliveries {
  readonly kind: 'QueuedDeliveries'
  readonly count: number
}

export interface QueuedDelivery {
  readonly kind: 'QueuedDelivery'
  /** The ID of the delivery. */
  readonly id: string
}

/** The job that made the report. The server drops unknown fields. */
export type ReportMetadata = {
  readonly job_name?: string | null | undefined
  readonly job_namespace?: string | null | undefined
  readonly attempt?: number | null | undefined
  readonly started_time?: string | null | undefined
  readonly completed_time?: string | null | undefined
  readonly duration?: string | null | undefined
} | null

export interface ReportedCondition {
  readonly type: string
  readonly status: 'True' | 'False' | 'Unknown'
  readonly reason?: string | null | undefined
  readonly message?: string | null | undefined
}

export type Resource = Cluster | NodePool | View

/** A change of a resource, or of the reports on it. */
export interface ResourceChange {
  readonly resource_version: string
  readonly time: string
  /**
   * `deleted` is the request to delete the resource, and `removed` is the end of the deletion.
   * `reported` is an adapter's report that changed something; heartbeats are not in the log.
   */
  readonly type: 'created' | 'updated' | 'deleted' | 'removed' | 'reported'
  readonly kind: string
  readonly id: string
  readonly name: string
  /** The generation after the change. */
  readonly generation: number
  /** The user, or the adapter of a report. Empty if the log does not contain it. */
  readonly by: string
  /** The adapter of a report. */
  readonly adapter?: string | undefined
  /** The changed fields. */
  readonly fields: readonly string[]
  readonly spec?: ChangedObject | undefined
  readonly labels?: ChangedObject | undefined
  /** The conditions whose status, reason or message changed. */
  readonly conditions?: readonly ChangedCondition[] | undefined
}

export interface ResourceCondition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason?: string | undefined
  readonly message?: string | undefined
  readonly observed_generation: number
  readonly created_time: string
  readonly last_updated_time: string
  readonly last_transition_time: string
}

export type ResourceCreateRequest = ClusterCreateRequest | ViewCreateRequest

export interface ResourceList {
  readonly kind: 'ResourceList'
  readonly page: number
  /** The number of items in this response. */
  readonly size: number
  readonly total: number
  readonly total_is_estimate?: boolean | undefined
  readonly items: readonly (Resource | PartialResource)[]
  readonly resource_version: ResourceVersion
  /** The `after` of the next page; null on the last page. Absent in lists across shards. */
  readonly next?: string | null | undefined
}

export type ResourcePatchRequest = ClusterPatchRequest | NodePoolPatchRequest | ViewPatchRequest

export interface ResourceStatus {
  /**
   * The aggregated conditions come first. The setting HYPERFLEET_CONDITIONS of the server selects
   * them: Available and Ready (v0.1), Reconciled and LastKnownReconciled (latest), or all four in
   * this order (both, the default). `<Adapter>Successful` of each adapter follows, sorted by type,
   * and then the conditions that the kind's rules map. `search` finds all conditions, including
   * hidden ones.
   */
  readonly conditions: readonly ResourceCondition[]
}

/** An opaque position in the change log. A watch can start after it. */
export type ResourceVersion = string

/**
 * Numbers of consecutive steps, oldest first. A step contains its end, but not its start. Values
 * are null in steps without a record.
 */
export interface SeriesList {
  readonly kind: 'SeriesList'
  readonly range: 'hour' | 'day' | 'week'
  /** The start of the first step. */
  readonly from: string
  /** The end of the last step. */
  readonly to: string
  /**
   * The length of a step: 60 for an hour, 300 for a day and 1800 for a week, but at least 600 if
   * the series starts more than a day ago.
   */
  readonly step_seconds: number
  /** The kinds with a record. */
  readonly kinds: readonly KindSeries[]
  /**
   * The adapters of `kind` with a record, at most 50: those for which most resources wait, then
   * those with most reports. Empty without `kind`.
   */
  readonly adapters: readonly AdapterSeries[]
}

export type SeriesValues = readonly (number | null)[]

/** A root, its descendants and their reports, all at the same resource version. */
export interface Snapshot {
  /** The ID or the name of the root that the request used. */
  readonly cluster: string
  /** The ID of the root. */
  readonly id: string
  readonly snapshotTime: string
  /** The snapshot includes every change up to this version and no later one. */
  readonly resourceVersion: string
  /** The number of kinds that the server keeps for a root, including reports. */
  readonly liveResources: number
  /** Sorted by group and resource. */
  readonly resources: readonly SnapshotPart[]
}

/**
 * An event of a watched snapshot. The first event is the snapshot. Later events are changes that
 * clients apply to it.
 */
export interface SnapshotEvent {
  readonly type: 'SNAPSHOT' | 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  /** In a change, the plural of its kind, or `statuses`. */
  readonly resource?: string | undefined
  /**
   * The `Snapshot`, or an item in the format of a snapshot. Empty in a BOOKMARK. In an ERROR, the
   * problem.
   */
  readonly object: { readonly [key: string]: unknown }
  readonly resource_version: string
}

export interface SnapshotPart {
  readonly group: string
  /** The plural of a kind, or `statuses`. */
  readonly resource: string
  /** Always true, because a snapshot is complete. */
  readonly synced: boolean
  readonly itemCount: number
  /** Sorted by ID; reports are sorted by resource and adapter. */
  readonly items: readonly (Resource | SnapshotStatus)[]
}

/** A report and the resource that it describes. */
export type SnapshotStatus = AdapterStatus & {
  readonly owner_references: OwnerReference
}

/** Selects roots by either `ids` or `search`. */
export interface SnapshotsRequest {
  /** The kind of the roots. The default is Cluster. */
  readonly kind?: string | undefined
  /** IDs or names. */
  readonly ids?: readonly string[] | undefined
  /** A TSL expression that matches at most 1000 roots. */
  readonly search?: string | undefined
  /**
   * The parts to include: plurals of kinds, `statuses`, and resources of the roots' planes, as
   * plurals or `plural.group`.
   */
  readonly resource?: string | (readonly string[]) | undefined
  readonly includeEmpty?: boolean | undefined
  /** Whether a name that neither a root nor its plane has is an error of its line. */
  readonly strict?: boolean | undefined
  readonly minResourceVersion?: string | undefined
}

/**
 * The tenant that owns the resource, by dimension. Read-only, and present only on servers with
 * tenancy.
 */
export type Tenancy = { readonly [key: string]: string }

export interface View {
  readonly kind: 'View'
  readonly id: string
  readonly href: string
  readonly name: string
  readonly generation: number
  readonly spec: ViewSpec
  readonly labels: Labels
  readonly annotations?: Annotations | undefined
  /** The adapters that this resource requires in place of those of its kind. */
  readonly required_adapters?: readonly string[] | undefined
  readonly tenancy?: Tenancy | undefined
  readonly created_time: string
  readonly updated_time: string
  readonly created_by: string
  readonly updated_by: string
  /** When the deletion was requested. */
  readonly deleted_time?: string | undefined
  readonly deleted_by?: string | undefined
  readonly status: ResourceStatus
}

/** The created resource, or the problem of a failed item. */
export interface ViewBulkItem {
  /** The position of the item in the request, from 0. */
  readonly index: number
  /** The status of a request that creates only this item: 201 if it is created. */
  readonly status: number
  readonly resource?: View | undefined
  readonly error?: Problem | undefined
}

export interface ViewBulkRequest {
  readonly items: readonly (ViewCreateRequest | { readonly [key: string]: unknown })[]
  /** Whether nothing is created if one item fails. */
  readonly atomic?: boolean | undefined
}

export interface ViewBulkResult {
  readonly kind: 'ViewBulkResult'
  /** The number of created resources. */
  readonly created: number
  /** The number of failed items. */
  readonly failed: number
  /** The result of each item, in the order of the request. */
  readonly items: readonly ViewBulkItem[]
}

/** The server ignores read-only and unknown fields. */
export interface ViewCreateRequest {
  /** The server chooses the ID. */
  readonly id?: '' | null | undefined
  readonly kind: 'View'
  readonly name: string
  readonly spec: ViewSpec
  readonly labels?: Labels | undefined
  readonly annotations?: Annotations | undefined
}

export interface ViewList {
  readonly kind: 'ViewList'
  readonly page: number
  /** The number of items in this response. */
  readonly size: number
  readonly total: number
  readonly total_is_estimate?: boolean | undefined
  readonly items: readonly (View | PartialView)[]
  readonly resource_version: ResourceVersion
  /** The `after` of the next page; null on the last page. Absent in lists across shards. */
  readonly next?: string | null | undefined
}

export interface ViewPatchRequest {
  readonly spec?: ViewSpec | undefined
  readonly labels?: Labels | undefined
  readonly annotations?: Annotations | undefined
}

/** A list that has a name: the resources of a kind that match a search, and how to show them. */
export interface ViewSpec {
  /** The kind of the resources. Callers that set it must be allowed to list it. */
  readonly kind: string
  /** A search over the fields of the kind. Without it, the view has all resources. */
  readonly search?: string | undefined
  /** The order, as in the parameter `orderBy` of lists. */
  readonly order?: string | undefined
  /** The columns that the console shows, in their order. */
  readonly columns?: readonly string[] | undefined
  /**
   * When the condition Firing of the view is True: while more than a number of resources have
   * matched for a time.
   */
  readonly alert?: {
    /** The number of matching resources that is still accepted. */
    readonly more_than: number
    /** How long more resources must match before the alert fires. */
    readonly for_minutes?: number | undefined
  } | undefined
}

/**
 * The state to declare, as for a creation. `name` is optional and must be the name in the path. The
 * server ignores read-only and unknown fields.
 */
export interface ViewUpsertRequest {
  /** The server chooses the ID. */
  readonly id?: '' | null | undefined
  readonly kind: 'View'
  readonly name?: string | undefined
  readonly spec: ViewSpec
  readonly labels?: Labels | undefined
  readonly annotations?: Annotations | undefined
}

export interface Violation {
  /** A path in the body or the name of a parameter. */
  readonly field: string
  readonly message: string
  readonly constraint?: string | undefined
  /** The rejected value. */
  readonly value?: unknown
  /** The offset of the error in `search`. */
  readonly position?: number | undefined
  /** The length of the error in `search`. */
  readonly length?: number | undefined
}

/**
 * An event of a watch. An item that starts to match `search` is ADDED; an item that no longer
 * matches is DELETED.
 */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  /**
   * The item after the change or, for DELETED, the last item before it. Empty in a BOOKMARK. In an
   * ERROR, the problem.
   */
  readonly object: { readonly [key: string]: unknown }
  /**
   * The position after this event, for resuming the watch. Empty in an ERROR, and in the initial
   * ADDED events of a watch that starts without a resource version.
   */
  readonly resource_version: string
}

/** A subscription to the changes of resources. */
export type Webhook = WebhookFields & {
  readonly kind: 'Webhook'
  readonly id: string
  readonly href: string
  readonly tenant?: Tenancy | undefined
  /**
   * A paused webhook collects events and sends none. The server disables a webhook if its receiver
   * responds 410, or if its search no longer fits the kinds.
   */
  readonly state: 'active' | 'paused' | 'disabled'
  readonly disabled_reason?: string | undefined
  /**
   * Why the server cannot read `url`, which is empty then: its key is missing. No events are sent
   * until the key is back, or `PATCH` sets another `url`.
   */
  readonly url_problem?: string | undefined
  /** Open while the receiver fails: only probes are sent, and the other deliveries wait. */
  readonly circuit: 'closed' | 'open'
  /** When the next probe is due, if the circuit is open. */
  readonly next_probe_time?: string | undefined
  readonly pending_deliveries: number
  /** When the secret before the last rotation stops signing. */
  readonly previous_secret_until?: string | undefined
  readonly created_time: string
  readonly updated_time: string
  readonly created_by: string
  readonly updated_by: string
}

export interface WebhookCreateRequest {
  /** The target of events, which are sent by POST. */
  readonly url: string
  readonly description?: string | undefined
  /** The kinds of the resources, such as `Cluster`. Empty for all kinds. */
  readonly kinds?: readonly string[] | undefined
  /** A search as in lists. The webhook sends events of the resources that match. */
  readonly search?: string | undefined
  /** The events to send. The default is all of them. */
  readonly events?: readonly WebhookEventName[] | undefined
  /** A paused webhook collects events and sends none. The default is `active`. */
  readonly state?: 'active' | 'paused' | undefined
}

/** An event for a webhook, and the last attempt to send it. */
export interface WebhookDelivery {
  readonly kind: 'WebhookDelivery'
  /** The `webhook-id` of its requests. */
  readonly id: string
  readonly type: string
  /** Null for events about the webhook, such as `webhook.test`. */
  readonly resource_id: string | null
  /** A delivery whose last attempt failed is `dead`. */
  readonly state: 'pending' | 'delivered' | 'dead'
  readonly attempts: number
  readonly created_time: string
  readonly last_attempt_time: string | null
  /** Null unless the delivery is the next one of its resource. */
  readonly next_attempt_time: string | null
  /** The status of the last response; null without one. */
  readonly status_code: number | null
  /** Why the last attempt failed. */
  readonly error: string
  readonly duration_ms: number | null
}

export interface WebhookDeliveryList {
  readonly kind: 'WebhookDeliveryList'
  /** Newest first. */
  readonly items: readonly WebhookDelivery[]
  /** The value of `before` for the next page. Null on the last page. */
  readonly next: string | null
}

export type WebhookDeliveryWithPayload = WebhookDelivery & {
  readonly payload: WebhookMessage
}

/**
 * `entered`: a change made the resource match the search. `left`: after a change it no longer
 * matches.
 */
export type WebhookEventName = 'created' | 'updated' | 'deleted' | 'entered' | 'left'

export interface WebhookFields {
  /** The target of events, which are sent by POST. */
  readonly url?: string | undefined
  readonly description?: string | undefined
  /** The kinds of the resources, such as `Cluster`. Empty for all kinds. */
  readonly kinds?: readonly string[] | undefined
  /** A search as in lists. The webhook sends events of the resources that match. */
  readonly search?: string | undefined
  /** The events to send. The default is all of them. */
  readonly events?: readonly WebhookEventName[] | undefined
}

export interface WebhookList {
  readonly kind: 'WebhookList'
  readonly page: number
  /** The number of items. */
  readonly size: number
  readonly total: number
  readonly items: readonly Webhook[]
}

/** The body that a webhook receives. */
export interface WebhookMessage {
  /** The kind in lower case and the event, or `webhook.test` or `webhook.resync`. */
  readonly type: string
  /** When the server queued the event. */
  readonly timestamp: string
  /** The resource version of the change. Later changes of an epoch have greater revisions. */
  readonly resource_version?: string | undefined
  /** The resource after the change, as GET returns it. */
  readonly data: { readonly [key: string]: unknown }
}

export interface WebhookPatchRequest {
  readonly url?: string | undefined
  readonly description?: string | null | undefined
  readonly kinds?: (readonly string[]) | null | undefined
  readonly search?: string | null | undefined
  readonly events?: (readonly WebhookEventName[]) | null | undefined
  readonly state?: 'active' | 'paused' | undefined
}

export interface WebhookRotationRequest {
  /** The time for which the replaced secret signs too. The default is a day. */
  readonly overlap_seconds?: number | undefined
}

export type WebhookWithSecret = Webhook & {
  /** Verifies the signatures of events, as Standard Webhooks defines. */
  readonly secret: string
}
