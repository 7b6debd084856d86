"""Generated from the OpenAPI document "HyperFleet API, as served by Flotilla" by `npm run openapi`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class AdapterCondition(TypedDict):
    type: str
    status: Literal["True", "False", "Unknown"]
    reason: NotRequired[str]
    message: NotRequired[str]
    last_transition_time: str


class AdapterLease(TypedDict):
    # Identifies the lease in reports, renewals and returns.
    token: str
    # The end of the lease by the clock of the database.
    expires_time: str


class AdapterLeaseRenewal(TypedDict):
    # The duration of the lease from now.
    leaseSeconds: NotRequired[int]


# The adapters of a kind, with their work on the resources that the caller may list.
class AdapterList(TypedDict):
    kind: Literal["AdapterList"]
    # The kind of the resources.
    of: str
    # When the server counted the resources that are not ready.
    time: str
    # Whether all adapters and reasons are listed, at most 200 each, and their counts are exact.
    complete: bool
    # Silent adapters first, then failing ones.
    items: list[AdapterSummary]


class AdapterSeries(TypedDict):
    adapter: str
    # Resources that are not ready because its report is missing, outdated or False, the most in
    # the step. They are counted up to a minute before the end of a step.
    waiting: SeriesValues
    # Accepted reports, including heartbeats.
    reports_per_second: SeriesValues
    # The average time from the last change of a resource to the adapter's first report at the new
    # generation. Null without such a report. Times above a day do not count.
    latency_seconds: SeriesValues


class AdapterStatus(TypedDict):
    adapter: str
    observed_generation: int
    conditions: list[AdapterCondition]
    data: dict[str, Any]
    metadata: NotRequired[ReportMetadata]
    created_time: str
    last_report_time: str


class AdapterStatusCreateRequest(TypedDict):
    adapter: str
    # The generation of the spec that the adapter observed: copy it from the resource. PUT requires
    # it. A POST without it counts for generation 0, with a `Warning`, and never makes a newer spec
    # Ready.
    observed_generation: NotRequired[int | None]
    # When the adapter made the observation. The default is the server's current time.
    observed_time: NotRequired[str | None]
    conditions: list[ReportedCondition]
    data: NotRequired[dict[str, Any] | None]
    metadata: NotRequired[ReportMetadata]


class AdapterStatusList(TypedDict):
    kind: Literal["AdapterStatusList"]
    page: int
    # The number of items in this response.
    size: int
    total: int
    items: list[AdapterStatus | PartialAdapterStatus]
    resource_version: ResourceVersion


class AdapterSummary(TypedDict):
    adapter: str
    # Whether the kind requires it of all resources.
    required: bool
    # The last accepted report, about 5 seconds late. Null without a report within 30 days.
    last_report_time: str | None
    # Accepted reports, including heartbeats. The average of about a minute.
    reports_per_second: float
    # Set if a resource has waited for 5 minutes for the adapter, which holds no lease and has
    # reported on no resource in this time. It is the time of the last report, or without one,
    # since when the first resource waits.
    silent_since: str | None
    # Resources of which it reports False at the current generation.
    failing: int
    # Other resources that are not ready because its report is missing or outdated.
    waiting: int
    # The most generations by which one of its reports is behind a resource that waits.
    generations_behind: int
    # The search that finds its failing and waiting resources. Null without any.
    search: str | None
    # Failing and waiting resources by reason. Failing ones first.
    reasons: list[AdapterSummaryReasons]
    # The queue from which it leases work. Null if it does not lease. The queue follows changes
    # only while the adapter leases. Counts above 10 000 are cut.
    queue: AdapterSummaryQueue | None


class AdapterSummaryReasons(TypedDict):
    # The reason in the reports of a failing adapter; otherwise `Missing`, `Behind` or `Ahead`.
    reason: str
    state: Literal["failing", "waiting"]
    count: int
    # Resources in this state since at most an hour.
    last_hour: int
    # Since when the first resource is in this state.
    oldest: str
    # Since when the last resource is in this state.
    newest: str
    # The search that finds the resources.
    search: str | None


class AdapterSummaryQueue(TypedDict):
    # Resources that wait to be leased.
    queued: int
    leased: int
    # Resources that are due again after a delay.
    delayed: int
    # When the oldest current lease began.
    oldest_lease_time: str | None
    # About the last request for a lease, to a minute. Null for callers of one tenant.
    used_time: str | None


class AdapterWorkItem(TypedDict):
    # Why the resource is due. `Requested`: the adapter asked for it with `X-Lease-Again`.
    reason: Literal["NewGeneration", "ReportExpired", "Deletion", "Requested"]
    # The number of leases of the resource since the last one with a result.
    attempt: int
    lease: AdapterLease
    resource: Resource


class AdapterWorkList(TypedDict):
    kind: Literal["AdapterWorkList"]
    # The number of items.
    size: int
    items: list[AdapterWorkItem]


class AdapterWorkRequest(TypedDict):
    # The kinds to lease resources of. The default is every kind that requires the adapter.
    kinds: NotRequired[list[str]]
    # A search that leased resources match, as in lists.
    search: NotRequired[str]
    # The maximum number of resources to lease.
    max: NotRequired[int]
    # The duration of the leases. Renew them if the work takes longer.
    leaseSeconds: NotRequired[int]
    # Resources whose last report is older are due, as for heartbeats. Without it, age does not
    # matter. All workers of an adapter should send the same value.
    maxAgeSeconds: NotRequired[int]
    # How long to wait if nothing is due.
    waitSeconds: NotRequired[int]

# Free-form notes of tools and people. Searches cannot select by annotation.
Annotations: TypeAlias = 'dict[str, str]'


# A request in the audit log. Texts are empty if unknown.
class AuditEvent(TypedDict):
    # When the request arrived.
    time: str
    id: str
    level: Literal["Metadata", "Request", "RequestResponse"]
    # The X-Request-ID of the response.
    request_id: str
    # The authenticated user.
    user: str
    groups: list[str]
    # The user that the caller acted as.
    impersonated_user: NotRequired[str]
    tenant: str
    # The address of the client. Behind trusted proxies, from X-Forwarded-For.
    source_address: str
    user_agent: str
    # Such as create, patch, delete or forcedelete.
    verb: str
    method: str
    # Without the query.
    path: str
    # The template of the path.
    route: str
    # The plane; empty for the HyperFleet API.
    plane: str
    api_group: str
    # The plural of the kind.
    resource: str
    subresource: str
    namespace: str
    name: str
    resource_id: str
    # 499 if the client disconnected.
    status: int
    # `unknown`: the client closed the connection before the response, so a write may have
    # succeeded. `lost` marks a gap: `dropped` events are missing.
    outcome: Literal["succeeded", "denied", "failed", "unknown", "lost"]
    # The code of the error.
    code: str
    detail: str
    duration_ms: int
    # The number of missing events.
    dropped: NotRequired[int]
    # The request changed nothing.
    dry_run: NotRequired[Literal["All"]]
    # The body of the request: an object, or the array of a JSON Patch.
    request: NotRequired[Any]
    # The body of the response.
    response: NotRequired[Any]


class AuditEventList(TypedDict):
    kind: Literal["AuditEventList"]
    items: list[AuditEvent]
    # The `before` of the next page; null on the last page.
    next: str | None


# The resources of a kind with Ready False, in groups.
class Breakdown(TypedDict):
    kind: Literal["Breakdown"]
    # The kind of the resources.
    of: str
    # When the server counted.
    time: str
    by: list[str]
    # All resources that match the search. Null if there are too many to count.
    total: int | None
    # Those with Ready False.
    not_ready: int
    # Those of which a required adapter reports False at the current generation.
    failing: int
    # The other ones that are not ready.
    waiting: int
    # Whether all resources with Ready False are grouped. Of more than 20 000, a sample is: the
    # counts of rows are then estimates.
    complete: bool
    # Failing rows first, then by count.
    items: list[BreakdownRow]
    # The rows beyond `limit`, and the sum of their counts.
    other: BreakdownOther


class BreakdownOther(TypedDict):
    rows: int
    count: int


class BreakdownRow(TypedDict):
    # The value of each field in `by`; null if it is absent. `reason` is the reason in the report
    # of a failing adapter, or `Missing`, `Behind` or `Ahead`. Values of labels and spec are cut to
    # 200 characters.
    values: dict[str, str | None]
    # Resources. One can be in several rows.
    count: int
    failing: int
    waiting: int
    # All resources with the same labels and spec, ready or not.
    total: int | None
    # `count` as a share of `total`, from 0 to 1.
    share: float | None
    # Resources in this state since at most an hour.
    last_hour: int
    # Resources in this state since at most a day.
    last_day: int
    # Since when the first resource is in this state.
    oldest: str
    # Since when the last resource is in this state.
    newest: str
    # The ID of the resource that was last.
    example: str
    # The most generations by which a report is behind. Null if none is.
    generations_behind: int | None
    # The search that finds the resources. Null for reasons without adapters.
    search: str | None
    # The last creation or update of `example` before it came into this state.
    change: PrecedingChange | None


class ChangeList(TypedDict):
    kind: Literal["ChangeList"]
    # Newest first.
    items: list[ResourceChange]
    # The value of `before` for the next page. Null on the last page.
    next: str | None
    # Whether the log still contains the creation of the resource. The log drops old changes
    # (`FEED_RETENTION`).
    complete: bool


class ChangedCondition(TypedDict):
    type: str
    old: ConditionState
    new: ConditionState


class ChangedObject(TypedDict):
    old: dict[str, Any] | None
    new: dict[str, Any] | None


class Cluster(TypedDict):
    kind: Literal["Cluster"]
    id: str
    href: str
    name: str
    generation: int
    spec: ClusterSpec
    labels: Labels
    annotations: NotRequired[Annotations]
    # The adapters that this resource requires in place of those of its kind.
    required_adapters: NotRequired[list[str]]
    tenancy: NotRequired[Tenancy]
    created_time: str
    updated_time: str
    created_by: str
    updated_by: str
    # When the deletion was requested.
    deleted_time: NotRequired[str]
    deleted_by: NotRequired[str]
    status: ResourceStatus


# The created resource, or the problem of a failed item.
class ClusterBulkItem(TypedDict):
    # The position of the item in the request, from 0.
    index: int
    # The status of a request that creates only this item: 201 if it is created.
    status: int
    resource: NotRequired[Cluster]
    error: NotRequired[Problem]


class ClusterBulkRequest(TypedDict):
    items: list[ClusterCreateRequest | dict[str, Any]]
    # Whether nothing is created if one item fails.
    atomic: NotRequired[bool]


class ClusterBulkResult(TypedDict):
    kind: Literal["ClusterBulkResult"]
    # The number of created resources.
    created: int
    # The number of failed items.
    failed: int
    # The result of each item, in the order of the request.
    items: list[ClusterBulkItem]


# The server ignores read-only and unknown fields.
class ClusterCreateRequest(TypedDict):
    # The server chooses the ID.
    id: NotRequired[Literal[""] | None]
    kind: Literal["Cluster"]
    name: str
    spec: ClusterSpec
    labels: NotRequired[Labels]
    annotations: NotRequired[Annotations]


class ClusterList(TypedDict):
    kind: Literal["ClusterList"]
    page: int
    # The number of items in this response.
    size: int
    total: int
    total_is_estimate: NotRequired[bool]
    items: list[Cluster | PartialCluster]
    resource_version: ResourceVersion
    # The `after` of the next page; null on the last page. Absent in lists across shards.
    next: NotRequired[str | None]


class ClusterPatchRequest(TypedDict):
    spec: NotRequired[ClusterSpec]
    labels: NotRequired[Labels]
    annotations: NotRequired[Annotations]

# The desired state of the cluster. Any object is valid unless OPENAPI_SCHEMA_PATH replaces this
# schema.
ClusterSpec: TypeAlias = 'dict[str, Any]'


# The state to declare, as for a creation. `name` is optional and must be the name in the path. The
# server ignores read-only and unknown fields.
class ClusterUpsertRequest(TypedDict):
    # The server chooses the ID.
    id: NotRequired[Literal[""] | None]
    kind: Literal["Cluster"]
    name: NotRequired[str]
    spec: ClusterSpec
    labels: NotRequired[Labels]
    annotations: NotRequired[Annotations]


class ConditionStateObject(TypedDict):
    status: Literal["True", "False"]
    reason: NotRequired[str]
    message: NotRequired[str]

# Null if the resource did not have the condition.
ConditionState: TypeAlias = 'ConditionStateObject | None'


class ForceDeleteRequest(TypedDict):
    # Why the deletion does not wait for the adapters. The server records the reason.
    reason: str


# Something that happened to a resource.
class HistoryEntry(TypedDict):
    time: str
    # `deleted` is the request to delete the resource, and `removed` is the end of the deletion.
    # `reported` is an adapter's report that changed conditions.
    type: Literal["created", "updated", "deleted", "removed", "reported"]
    kind: str
    id: str
    name: str
    # The generation after the change.
    generation: int
    # The user, or the adapter of a report. Empty if unknown.
    by: str
    # The reason of a forced deletion.
    reason: NotRequired[str]
    # The changed values of `spec`, `labels`, `annotations` and `references`.
    changes: list[HistoryEntryChanges]
    # The conditions whose status, reason or message changed.
    conditions: NotRequired[list[ChangedCondition]]


class HistoryEntryChanges(TypedDict):
    # A JSON Pointer (RFC 6901) into the resource.
    path: str
    # The value before the change. Absent if there was none.
    old: NotRequired[Any]
    # The value after the change. Absent if there is none.
    new: NotRequired[Any]


class HistoryList(TypedDict):
    kind: Literal["HistoryList"]
    # Newest first.
    items: list[HistoryEntry]
    # The value of `before` for the next page. Null on the last page.
    next: str | None
    # Whether the history contains the creation of the resource, and has lost no change since. Old
    # entries are dropped (`HISTORY_RETENTION`).
    complete: bool


# The caller of a request, as the server sees it.
class Identity(TypedDict):
    kind: Literal["Identity"]
    # The name that writes record as `created_by` and `updated_by`.
    user: str
    groups: list[str]
    # The caller's tenant by dimension. Null without tenancy, and for system callers.
    tenant: dict[str, str] | None
    # The source of the identity. With `none`, the server asks for no token.
    authentication: Literal["none", "token", "gateway"]
    # When the server stops accepting the token. Null without a token.
    expires_time: str | None
    # Whether roles decide what the caller may do.
    authorization: Literal["none", "rbac"]


JsonPatchOperation = TypedDict("JsonPatchOperation", {
    "op": 'Literal["add", "remove", "replace", "move", "copy", "test"]',
    # A path to or into a field that the request can change, such as `/spec`.
    "path": 'str',
    # The source path of `move` and `copy`.
    "from": 'NotRequired[Any]',
    # The value of `add`, `replace` and `test`: any JSON.
    "value": 'NotRequired[Any]',
})

# A JSON Patch (RFC 6902). For a resource, it can change `spec`, `labels`, `annotations` and, if
# the kind has them, `references`; a resource without annotations has an empty object here. For a
# webhook, it can change the fields of a merge patch. The result must be a valid create request.
JsonPatchRequest: TypeAlias = 'list[JsonPatchOperation]'


class KindDescription(TypedDict):
    kind: str
    # The segment in paths.
    plural: str
    singular: str
    # Null for kinds at the root.
    parent_kind: str | None
    # Whether adapters report on resources of the kind.
    has_statuses: bool
    # Whether requests for all kinds include the kind.
    with_all_kinds: NotRequired[bool]
    # The operations that the API serves for the kind.
    verbs: list[str]
    # The adapters whose reports decide about Ready.
    required_adapters: list[str]
    # The fields of the spec that `INDEXED_FIELDS` declares, as searches name them.
    indexed_fields: list[str]
    name_min_length: int
    name_max_length: int
    # The schema of `spec` among the components of this document.
    spec_schema: str


class KindList(TypedDict):
    kind: Literal["KindList"]
    # Built-in kinds first, then configured ones.
    items: list[KindDescription]


class KindOverview(TypedDict):
    kind: str
    total: int
    # Resources with Ready True.
    ready: int
    # Resources with Ready False. Kinds without statuses have none.
    not_ready: int
    deleting: int
    # Resources by status and reason of Ready, Reconciled and Available.
    conditions: list[KindOverviewConditions]
    # For each required adapter, the resources that are not ready because its report is missing,
    # behind or False. Most resources first.
    waiting_for: list[KindOverviewWaitingFor]


class KindOverviewConditions(TypedDict):
    type: str
    status: Literal["True", "False"]
    reason: str
    count: int


class KindOverviewWaitingFor(TypedDict):
    adapter: str
    count: int


class KindSeries(TypedDict):
    kind: str
    # All resources, the most in the step.
    total: SeriesValues
    # Resources with Ready False, the most in the step.
    not_ready: SeriesValues
    # Changes of resources in the log.
    changes_per_second: SeriesValues
    # Accepted reports, including heartbeats.
    reports_per_second: SeriesValues


class LabelKeyList(TypedDict):
    kind: Literal["LabelKeyList"]
    # Sorted.
    items: list[str]
    # Whether there may be more keys: there are more than `limit`, or the server has read only a
    # sample of the resources.
    truncated: bool


class LabelValueList(TypedDict):
    kind: Literal["LabelValueList"]
    # Sorted.
    items: list[str]
    # Whether there may be more values: there are more than `limit`, or the server has read only a
    # sample of the resources.
    truncated: bool

Labels: TypeAlias = 'dict[str, str]'


# A merge patch (RFC 7396). Objects are merged, null removes a field, and any other value replaces
# the old one. The result must be a valid create request.
class MergePatchRequest(TypedDict):
    spec: NotRequired[dict[str, Any]]
    labels: NotRequired[dict[str, str | None] | None]
    annotations: NotRequired[dict[str, str | None] | None]


class NodePool(TypedDict):
    kind: Literal["NodePool"]
    id: str
    href: str
    name: str
    generation: int
    spec: NodePoolSpec
    labels: Labels
    annotations: NotRequired[Annotations]
    # The adapters that this resource requires in place of those of its kind.
    required_adapters: NotRequired[list[str]]
    tenancy: NotRequired[Tenancy]
    created_time: str
    updated_time: str
    created_by: str
    updated_by: str
    # When the deletion was requested.
    deleted_time: NotRequired[str]
    deleted_by: NotRequired[str]
    owner_references: OwnerReference
    status: ResourceStatus


# The created resource, or the problem of a failed item.
class NodePoolBulkItem(TypedDict):
    # The position of the item in the request, from 0.
    index: int
    # The status of a request that creates only this item: 201 if it is created.
    status: int
    resource: NotRequired[NodePool]
    error: NotRequired[Problem]


class NodePoolBulkRequest(TypedDict):
    items: list[NodePoolCreateRequest | dict[str, Any]]
    # Whether nothing is created if one item fails.
    atomic: NotRequired[bool]


class NodePoolBulkResult(TypedDict):
    kind: Literal["NodePoolBulkResult"]
    # The number of created resources.
    created: int
    # The number of failed items.
    failed: int
    # The result of each item, in the order of the request.
    items: list[NodePoolBulkItem]


# The server ignores read-only and unknown fields.
class NodePoolCreateRequest(TypedDict):
    # The server chooses the ID.
    id: NotRequired[Literal[""] | None]
    kind: Literal["NodePool"]
    name: str
    spec: NodePoolSpec
    labels: NotRequired[Labels]
    annotations: NotRequired[Annotations]


class NodePoolList(TypedDict):
    kind: Literal["NodePoolList"]
    page: int
    # The number of items in this response.
    size: int
    total: int
    total_is_estimate: NotRequired[bool]
    items: list[NodePool | PartialNodePool]
    resource_version: ResourceVersion
    # The `after` of the next page; null on the last page. Absent in lists across shards.
    next: NotRequired[str | None]


class NodePoolPatchRequest(TypedDict):
    spec: NotRequired[NodePoolSpec]
    labels: NotRequired[Labels]
    annotations: NotRequired[Annotations]

# The desired state of the node pool. Any object is valid unless OPENAPI_SCHEMA_PATH replaces this
# schema.
NodePoolSpec: TypeAlias = 'dict[str, Any]'


# The state to declare, as for a creation. `name` is optional and must be the name in the path. The
# server ignores read-only and unknown fields.
class NodePoolUpsertRequest(TypedDict):
    # The server chooses the ID.
    id: NotRequired[Literal[""] | None]
    kind: Literal["NodePool"]
    name: NotRequired[str]
    spec: NodePoolSpec
    labels: NotRequired[Labels]
    annotations: NotRequired[Annotations]


# Counts of all resources that the caller may list, and the load of all servers.
class Overview(TypedDict):
    kind: Literal["Overview"]
    time: str
    # The counts include every change up to this version.
    resource_version: str
    kinds: list[KindOverview]
    # The average of the last 10 seconds.
    changes_per_second: float
    # Reports that all servers accepted, including heartbeats: the average of about 10 seconds.
    reports_per_second: float
    # The age of the oldest change that the log does not contain yet.
    feed_lag_seconds: float
    # One entry per minute of the last hour, oldest first.
    history: list[OverviewMinute]
    # The last 50 changes, newest first. Without `spec` and `labels`.
    recent: list[ResourceChange]


class OverviewEvent(TypedDict):
    type: Literal["MODIFIED", "BOOKMARK", "ERROR"]
    # The `Overview`. Empty in a BOOKMARK. In an ERROR, the problem.
    object: dict[str, Any]
    resource_version: str


class OverviewMinute(TypedDict):
    # The end of the minute.
    time: str
    # By kind.
    total: dict[str, int]
    # By kind.
    not_ready: dict[str, int]
    changes_per_second: float
    reports_per_second: float


class OwnerReference(TypedDict):
    kind: str
    id: str
    href: str


# The fields of a report that `fields` selects, and always `adapter`.
class PartialAdapterStatus(TypedDict):
    adapter: str


# The fields that `fields` selects, and always `id`.
class PartialCluster(TypedDict):
    id: str


# The fields that `fields` selects, and always `id`.
class PartialNodePool(TypedDict):
    id: str


# The fields that `fields` selects, and always `id`.
class PartialResource(TypedDict):
    id: str


# The fields that `fields` selects, and always `id`.
class PartialView(TypedDict):
    id: str


class PrecedingChange(TypedDict):
    id: str
    name: str
    time: str
    type: Literal["created", "updated"]
    by: str
    generation: int
    # JSON Pointers of the values that an update changed, at most ten.
    paths: list[str]


# The details of a problem (RFC 9457).
class Problem(TypedDict):
    # The URI of the problem type.
    type: str
    title: str
    status: int
    detail: str
    # The path of the request.
    instance: str
    code: str
    timestamp: str
    # The ID of the request.
    trace_id: str
    errors: NotRequired[list[Violation]]


class QueuedDeliveries(TypedDict):
    kind: Literal["QueuedDeliveries"]
    count: int


class QueuedDelivery(TypedDict):
    kind: Literal["QueuedDelivery"]
    # The ID of the delivery.
    id: str


class ReportMetadataObject(TypedDict):
    job_name: NotRequired[str | None]
    job_namespace: NotRequired[str | None]
    attempt: NotRequired[int | None]
    started_time: NotRequired[str | None]
    completed_time: NotRequired[str | None]
    duration: NotRequired[str | None]

# The job that made the report. The server drops unknown fields.
ReportMetadata: TypeAlias = 'ReportMetadataObject | None'


class ReportedCondition(TypedDict):
    type: str
    status: Literal["True", "False", "Unknown"]
    reason: NotRequired[str | None]
    message: NotRequired[str | None]

Resource: TypeAlias = 'Cluster | NodePool | View'


# A change of a resource, or of the reports on it.
class ResourceChange(TypedDict):
    resource_version: str
    time: str
    # `deleted` is the request to delete the resource, and `removed` is the end of the deletion.
    # `reported` is an adapter's report that changed something; heartbeats are not in the log.
    type: Literal["created", "updated", "deleted", "removed", "reported"]
    kind: str
    id: str
    name: str
    # The generation after the change.
    generation: int
    # The user, or the adapter of a report. Empty if the log does not contain it.
    by: str
    # The adapter of a report.
    adapter: NotRequired[str]
    # The changed fields.
    fields: list[str]
    spec: NotRequired[ChangedObject]
    labels: NotRequired[ChangedObject]
    # The conditions whose status, reason or message changed.
    conditions: NotRequired[list[ChangedCondition]]


class ResourceCondition(TypedDict):
    type: str
    status: Literal["True", "False"]
    reason: NotRequired[str]
    message: NotRequired[str]
    observed_generation: int
    created_time: str
    last_updated_time: str
    last_transition_time: str

ResourceCreateRequest: TypeAlias = 'ClusterCreateRequest | ViewCreateRequest'


class ResourceList(TypedDict):
    kind: Literal["ResourceList"]
    page: int
    # The number of items in this response.
    size: int
    total: int
    total_is_estimate: NotRequired[bool]
    items: list[Resource | PartialResource]
    resource_version: ResourceVersion
    # The `after` of the next page; null on the last page. Absent in lists across shards.
    next: NotRequired[str | None]

ResourcePatchRequest: TypeAlias = 'ClusterPatchRequest | NodePoolPatchRequest | ViewPatchRequest'


class ResourceStatus(TypedDict):
    # The aggregated conditions come first. The setting HYPERFLEET_CONDITIONS of the server selects
    # them: Available and Ready (v0.1), Reconciled and LastKnownReconciled (latest), or all four in
    # this order (both, the default). `<Adapter>Successful` of each adapter follows, sorted by
    # type, and then the conditions that the kind's rules map. `search` finds all conditions,
    # including hidden ones.
    conditions: list[ResourceCondition]

# An opaque position in the change log. A watch can start after it.
ResourceVersion: TypeAlias = 'str'


# Numbers of consecutive steps, oldest first. A step contains its end, but not its start. Values
# are null in steps without a record.
SeriesList = TypedDict("SeriesList", {
    "kind": 'Literal["SeriesList"]',
    "range": 'Literal["hour", "day", "week"]',
    # The start of the first step.
    "from": 'str',
    # The end of the last step.
    "to": 'str',
    # The length of a step: 60 for an hour, 300 for a day and 1800 for a week, but at least 600 if
    # the series starts more than a day ago.
    "step_seconds": 'int',
    # The kinds with a record.
    "kinds": 'list[KindSeries]',
    # The adapters of `kind` with a record, at most 50: those for which most resources wait, then
    # those with most reports. Empty without `kind`.
    "adapters": 'list[AdapterSeries]',
})

SeriesValues: TypeAlias = 'list[float | None]'


# A root, its descendants and their reports, all at the same resource version.
class Snapshot(TypedDict):
    # The ID or the name of the root that the request used.
    cluster: str
    # The ID of the root.
    id: str
    snapshotTime: str
    # The snapshot includes every change up to this version and no later one.
    resourceVersion: str
    # The number of kinds that the server keeps for a root, including reports.
    liveResources: int
    # Sorted by group and resource.
    resources: list[SnapshotPart]


# An event of a watched snapshot. The first event is the snapshot. Later events are changes that
# clients apply to it.
class SnapshotEvent(TypedDict):
    type: Literal["SNAPSHOT", "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]
    # In a change, the plural of its kind, or `statuses`.
    resource: NotRequired[str]
    # The `Snapshot`, or an item in the format of a snapshot. Empty in a BOOKMARK. In an ERROR, the
    # problem.
    object: dict[str, Any]
    resource_version: str


class SnapshotPart(TypedDict):
    group: str
    # The plural of a kind, or `statuses`.
    resource: str
    # Always true, because a snapshot is complete.
    synced: bool
    itemCount: int
    # Sorted by ID; reports are sorted by resource and adapter.
    items: list[Resource | SnapshotStatus]


# Selects roots by either `ids` or `search`.
class SnapshotsRequest(TypedDict):
    # The kind of the roots. The default is Cluster.
    kind: NotRequired[str]
    # IDs or names.
    ids: NotRequired[list[str]]
    # A TSL expression that matches at most 1000 roots.
    search: NotRequired[str]
    # The parts to include: plurals of kinds, `statuses`, and resources of the roots' planes, as
    # plurals or `plural.group`.
    resource: NotRequired[str | list[str]]
    includeEmpty: NotRequired[bool]
    # Whether a name that neither a root nor its plane has is an error of its line.
    strict: NotRequired[bool]
    minResourceVersion: NotRequired[str]

# The tenant that owns the resource, by dimension. Read-only, and present only on servers with
# tenancy.
Tenancy: TypeAlias = 'dict[str, str]'


class View(TypedDict):
    kind: Literal["View"]
    id: str
    href: str
    name: str
    generation: int
    spec: ViewSpec
    labels: Labels
    annotations: NotRequired[Annotations]
    # The adapters that this resource requires in place of those of its kind.
    required_adapters: NotRequired[list[str]]
    tenancy: NotRequired[Tenancy]
    created_time: str
    updated_time: str
    created_by: str
    updated_by: str
    # When the deletion was requested.
    deleted_time: NotRequired[str]
    deleted_by: NotRequired[str]
    status: ResourceStatus


# The created resource, or the problem of a failed item.
class ViewBulkItem(TypedDict):
    # The position of the item in the request, from 0.
    index: int
    # The status of a request that creates only this item: 201 if it is created.
    status: int
    resource: NotRequired[View]
    error: NotRequired[Problem]


class ViewBulkRequest(TypedDict):
    items: list[ViewCreateRequest | dict[str, Any]]
    # Whether nothing is created if one item fails.
    atomic: NotRequired[bool]


class ViewBulkResult(TypedDict):
    kind: Literal["ViewBulkResult"]
    # The number of created resources.
    created: int
    # The number of failed items.
    failed: int
    # The result of each item, in the order of the request.
    items: list[ViewBulkItem]


# The server ignores read-only and unknown fields.
class ViewCreateRequest(TypedDict):
    # The server chooses the ID.
    id: NotRequired[Literal[""] | None]
    kind: Literal["View"]
    name: str
    spec: ViewSpec
    labels: NotRequired[Labels]
    annotations: NotRequired[Annotations]


class ViewList(TypedDict):
    kind: Literal["ViewList"]
    page: int
    # The number of items in this response.
    size: int
    total: int
    total_is_estimate: NotRequired[bool]
    items: list[View | PartialView]
    resource_version: ResourceVersion
    # The `after` of the next page; null on the last page. Absent in lists across shards.
    next: NotRequired[str | None]


class ViewPatchRequest(TypedDict):
    spec: NotRequired[ViewSpec]
    labels: NotRequired[Labels]
    annotations: NotRequired[Annotations]


# A list that has a name: the resources of a kind that match a search, and how to show them.
class ViewSpec(TypedDict):
    # The kind of the resources. Callers that set it must be allowed to list it.
    kind: str
    # A search over the fields of the kind. Without it, the view has all resources.
    search: NotRequired[str]
    # The order, as in the parameter `orderBy` of lists.
    order: NotRequired[str]
    # The columns that the console shows, in their order.
    columns: NotRequired[list[str]]
    # When the condition Firing of the view is True: while more than a number of resources have
    # matched for a time.
    alert: NotRequired[ViewSpecAlert]


class ViewSpecAlert(TypedDict):
    # The number of matching resources that is still accepted.
    more_than: int
    # How long more resources must match before the alert fires.
    for_minutes: NotRequired[int]


# The state to declare, as for a creation. `name` is optional and must be the name in the path. The
# server ignores read-only and unknown fields.
class ViewUpsertRequest(TypedDict):
    # The server chooses the ID.
    id: NotRequired[Literal[""] | None]
    kind: Literal["View"]
    name: NotRequired[str]
    spec: ViewSpec
    labels: NotRequired[Labels]
    annotations: NotRequired[Annotations]


class Violation(TypedDict):
    # A path in the body or the name of a parameter.
    field: str
    message: str
    constraint: NotRequired[str]
    # The rejected value.
    value: NotRequired[Any]
    # The offset of the error in `search`.
    position: NotRequired[int]
    # The length of the error in `search`.
    length: NotRequired[int]


# An event of a watch. An item that starts to match `search` is ADDED; an item that no longer
# matches is DELETED.
class WatchEvent(TypedDict):
    type: Literal["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]
    # The item after the change or, for DELETED, the last item before it. Empty in a BOOKMARK. In
    # an ERROR, the problem.
    object: dict[str, Any]
    # The position after this event, for resuming the watch. Empty in an ERROR, and in the initial
    # ADDED events of a watch that starts without a resource version.
    resource_version: str


class WebhookCreateRequest(TypedDict):
    # The target of events, which are sent by POST.
    url: str
    description: NotRequired[str]
    # The kinds of the resources, such as `Cluster`. Empty for all kinds.
    kinds: NotRequired[list[str]]
    # A search as in lists. The webhook sends events of the resources that match.
    search: NotRequired[str]
    # The events to send. The default is all of them.
    events: NotRequired[list[WebhookEventName]]
    # A paused webhook collects events and sends none. The default is `active`.
    state: NotRequired[Literal["active", "paused"]]


# An event for a webhook, and the last attempt to send it.
class WebhookDelivery(TypedDict):
    kind: Literal["WebhookDelivery"]
    # The `webhook-id` of its requests.
    id: str
    type: str
    # Null for events about the webhook, such as `webhook.test`.
    resource_id: str | None
    # A delivery whose last attempt failed is `dead`.
    state: Literal["pending", "delivered", "dead"]
    attempts: int
    created_time: str
    last_attempt_time: str | None
    # Null unless the delivery is the next one of its resource.
    next_attempt_time: str | None
    # The status of the last response; null without one.
    status_code: int | None
    # Why the last attempt failed.
    error: str
    duration_ms: int | None


class WebhookDeliveryList(TypedDict):
    kind: Literal["WebhookDeliveryList"]
    # Newest first.
    items: list[WebhookDelivery]
    # The value of `before` for the next page. Null on the last page.
    next: str | None

# `entered`: a change made the resource match the search. `left`: after a change it no longer
# matches.
WebhookEventName: TypeAlias = 'Literal["created", "updated", "deleted", "entered", "left"]'


class WebhookFields(TypedDict):
    # The target of events, which are sent by POST.
    url: NotRequired[str]
    description: NotRequired[str]
    # The kinds of the resources, such as `Cluster`. Empty for all kinds.
    kinds: NotRequired[list[str]]
    # A search as in lists. The webhook sends events of the resources that match.
    search: NotRequired[str]
    # The events to send. The default is all of them.
    events: NotRequired[list[WebhookEventName]]


class WebhookList(TypedDict):
    kind: Literal["WebhookList"]
    page: int
    # The number of items.
    size: int
    total: int
    items: list[Webhook]


# The body that a webhook receives.
class WebhookMessage(TypedDict):
    # The kind in lower case and the event, or `webhook.test` or `webhook.resync`.
    type: str
    # When the server queued the event.
    timestamp: str
    # The resource version of the change. Later changes of an epoch have greater revisions.
    resource_version: NotRequired[str]
    # The resource after the change, as GET returns it.
    data: dict[str, Any]


class WebhookPatchRequest(TypedDict):
    url: NotRequired[str]
    description: NotRequired[str | None]
    kinds: NotRequired[list[str] | None]
    search: NotRequired[str | None]
    events: NotRequired[list[WebhookEventName] | None]
    state: NotRequired[Literal["active", "paused"]]


class WebhookRotationRequest(TypedDict):
    # The time for which the replaced secret signs too. The default is a day.
    overlap_seconds: NotRequired[int]


# A report and the resource that it describes.
class SnapshotStatus(AdapterStatus):
    owner_references: OwnerReference


# A subscription to the changes of resources.
class Webhook(WebhookFields):
    kind: Literal["Webhook"]
    id: str
    href: str
    tenant: NotRequired[Tenancy]
    # A paused webhook collects events and sends none. The server disables a webhook if its
    # receiver responds 410, or if its search no longer fits the kinds.
    state: Literal["active", "paused", "disabled"]
    disabled_reason: NotRequired[str]
    # Why the server cannot read `url`, which is empty then: its key is missing. No events are sent
    # until the key is back, or `PATCH` sets another `url`.
    url_problem: NotRequired[str]
    # Open while the receiver fails: only probes are sent, and the other deliveries wait.
    circuit: Literal["closed", "open"]
    # When the next probe is due, if the circuit is open.
    next_probe_time: NotRequired[str]
    pending_deliveries: int
    # When the secret before the last rotation stops signing.
    previous_secret_until: NotRequired[str]
    created_time: str
    updated_time: str
    created_by: str
    updated_by: str


class WebhookDeliveryWithPayload(WebhookDelivery):
    payload: WebhookMessage


class WebhookWithSecret(Webhook):
    # Verifies the signatures of events, as Standard Webhooks defines.
    secret: str
