"""Generated from the OpenAPI document "Flotilla fleets and snapshots" by `npm run openapi`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from typing_extensions import NotRequired


class Condition(TypedDict):
    # Last time the status changed.
    lastTransitionTime: str
    # Explanation for readers. It may be empty.
    message: str
    # Generation of the object that was observed.
    observedGeneration: NotRequired[int]
    # Reason in CamelCase.
    reason: str
    # True, False or Unknown.
    status: Literal["True", "False", "Unknown"]
    # Type of the condition, in CamelCase.
    type: str


# A number of clusters, each with its plane.
class Fleet(TypedDict):
    apiVersion: Literal["kplane.dev/v1"]
    kind: Literal["Fleet"]
    # Standard object's metadata. More info:
    # https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
    metadata: ObjectMeta
    # The desired members of a fleet.
    spec: FleetSpec
    # The observed members of a fleet.
    status: NotRequired[FleetStatus]


# A claimed member of a fleet.
class FleetClaim(TypedDict):
    # Group and version of this representation of the object.
    apiVersion: str
    # Kind of the object, in CamelCase.
    kind: str
    # Name of the fleet.
    fleet: str
    # Name of the cluster.
    clusterID: str
    # ID of the cluster.
    uid: str
    # Pending until the member is ready. Failed if it cannot be created.
    phase: Literal["Pending", "Ready", "Failed"]
    # Whether the holder before has released the member with Keep, so that its content is still
    # there. Only in the response to a claim.
    kept: NotRequired[bool]
    # Name that the claim gave for its holder.
    holder: str
    # Identifies the claim in renewals and in the release.
    claimID: str
    # Start of the claim.
    claimedTime: str
    # End of the lease; absent if it has no end.
    expiresTime: NotRequired[str]


# Asks for one ready and unclaimed member of a fleet.
class FleetClaimRequest(TypedDict):
    # Group and version of this representation of the object.
    apiVersion: NotRequired[str]
    # Kind of the object, in CamelCase.
    kind: NotRequired[str]
    # Name of the holder, for people.
    holder: str
    # Seconds until the lease ends; without it, it has no end.
    ttlSeconds: NotRequired[int]
    # Selects members by the labels of their clusters.
    labelSelector: NotRequired[str]
    # Name of the only member that will do.
    clusterID: NotRequired[str]
    # Whether to create one more member if none can be claimed.
    createOnEmpty: NotRequired[bool]


# Makes members require the adapters that the fleet declares.
class FleetDeclarationRequest(TypedDict):
    # UID of the Fleet.
    uid: str
    # Generation of the Fleet that the request is based on.
    generation: int
    # IDs of the clusters.
    members: list[str]

# The fleet while it is being deleted, or the result once it is gone.
FleetDeletion: TypeAlias = 'Fleet | Status'


# A list of objects of kind Fleet.
class FleetList(TypedDict):
    apiVersion: Literal["kplane.dev/v1"]
    # The objects.
    items: list[Fleet]
    kind: Literal["FleetList"]
    # Metadata of a list.
    metadata: ListMeta


class FleetMember(TypedDict):
    # Name of the cluster.
    clusterID: str
    # ID of the cluster; absent while the member does not exist.
    uid: NotRequired[str]
    # Pending until the member is ready. Failed if it cannot be created.
    phase: Literal["Pending", "Ready", "Failed"]
    # Explanation for readers.
    message: NotRequired[str]
    # Last time the phase changed.
    lastTransitionTime: NotRequired[str]
    # The lease of a claimed member.
    claim: NotRequired[FleetMemberClaim]
    # Whether the member cannot be claimed until a client asks for its reset, because it may have
    # objects of others.
    resetRequired: NotRequired[bool]


class FleetMemberClaim(TypedDict):
    # Name that the claim gave for its holder.
    holder: str
    # Identifies the claim in renewals and in the release.
    claimID: str
    # Start of the claim.
    claimedTime: str
    # End of the lease; absent if it has no end.
    expiresTime: NotRequired[str]


# A page of the members of a fleet, in desired order.
class FleetMemberList(TypedDict):
    # Group and version of this representation of the object.
    apiVersion: str
    # Kind of the object, in CamelCase.
    kind: str
    # Metadata of a page of members.
    metadata: FleetMemberListMeta
    # The members.
    items: list[FleetMember]


FleetMemberListMeta = TypedDict("FleetMemberListMeta", {
    # Version of the list. Watches start at it.
    "resourceVersion": 'str',
    # Token for the next page; absent on the last page.
    "continue": 'NotRequired[str]',
    # Number of members after this page.
    "remainingItemCount": 'NotRequired[int]',
})


# Asks for the reset of unclaimed members to the template.
class FleetRecycleRequest(TypedDict):
    # Group and version of this representation of the object.
    apiVersion: NotRequired[str]
    # Kind of the object, in CamelCase.
    kind: NotRequired[str]
    # Name of the cluster; without it, all members that need a reset.
    clusterID: NotRequired[str]


# The members that will be reset.
class FleetRecycling(TypedDict):
    # Group and version of this representation of the object.
    apiVersion: str
    # Kind of the object, in CamelCase.
    kind: str
    # Names of the clusters.
    clusterIDs: list[str]


# The end of a claim.
class FleetRelease(TypedDict):
    # Group and version of this representation of the object.
    apiVersion: str
    # Kind of the object, in CamelCase.
    kind: str
    # Name of the cluster.
    clusterID: str
    # Recycle returns the member to its template, Delete replaces it, and Keep leaves it as it is.
    then: Literal["Recycle", "Delete", "Keep"]


# Ends a claim.
class FleetReleaseRequest(TypedDict):
    # Group and version of this representation of the object.
    apiVersion: NotRequired[str]
    # Kind of the object, in CamelCase.
    kind: NotRequired[str]
    # Name of the cluster.
    clusterID: str
    # ID of the claim.
    claimID: str
    # Recycle returns the member to its template, Delete replaces it, and Keep leaves it as it is.
    then: NotRequired[Literal["Recycle", "Delete", "Keep"]]


# Extends the lease of a claim.
class FleetRenewal(TypedDict):
    # Group and version of this representation of the object.
    apiVersion: NotRequired[str]
    # Kind of the object, in CamelCase.
    kind: NotRequired[str]
    # Name of the cluster.
    clusterID: str
    # ID of the claim.
    claimID: str
    # Seconds until the lease ends. By default, as before.
    ttlSeconds: NotRequired[int]


class FleetRollingUpdate(TypedDict):
    # The most members that may be unavailable during an update: a number or a percentage of
    # replicas. The default is 25%.
    maxUnavailable: NotRequired[int | str]


class FleetSpec(TypedDict):
    # Desired number of members.
    replicas: int
    # Prefix of the names of members, which a number of four digits or more follows, such as
    # rl-0000. The default is the name of the fleet and a hyphen. Ignored if names has items.
    namePrefix: NotRequired[str]
    # Names of the members, in order. Its length must equal replicas.
    names: NotRequired[list[str]]
    # Seconds after which the fleet is deleted; without a value it stays.
    ttlSeconds: NotRequired[int]
    # Start of ttlSeconds: the creation of the fleet, the first time that it was ready, or the
    # first claim.
    ttlFrom: NotRequired[Literal["Created", "Ready", "Claimed"]]
    # Whether members stay or are deleted when the fleet is deleted. The propagationPolicy of a
    # request has precedence.
    deletionPolicy: NotRequired[Literal["Orphan", "Delete"]]
    # Whether surplus members are released or deleted. Members with the annotation
    # kplane.dev/remove-first are removed first, then those with the highest number. Claimed
    # members stay.
    scaleDownPolicy: NotRequired[Literal["Orphan", "Delete"]]
    # Initial content of members, written when they are created. In string values, ${name} is the
    # name of the member and ${index} its number.
    template: NotRequired[FleetTemplate]
    # How members follow a change of the template.
    updateStrategy: NotRequired[FleetUpdateStrategy]
    # When a member is ready: when its plane answers, or when the condition Ready of its cluster is
    # True for the current generation.
    readiness: NotRequired[Literal["Plane", "Conditions"]]
    # Adapters that must report on members and their node pools before they are ready, and finalize
    # them before they are removed. Without a value, readiness Plane requires none, and readiness
    # Conditions those of the server. Fleets from before this field require those of the server.
    requiredAdapters: NotRequired[list[str]]
    # Members to keep ready and unclaimed, in addition to the claimed ones. Excludes names.
    minReady: NotRequired[int]
    # Whether only the status is updated.
    paused: NotRequired[bool]


class FleetStatus(TypedDict):
    # Generation of the spec that the status describes.
    observedGeneration: NotRequired[int]
    # Number of members.
    replicas: NotRequired[int]
    # Number of ready members.
    readyReplicas: NotRequired[int]
    # Number of ready members without a claim.
    availableReplicas: NotRequired[int]
    # Number of members made from the current template.
    updatedReplicas: NotRequired[int]
    # Number of claimed members.
    claimedReplicas: NotRequired[int]
    # Number of members that cannot be created.
    failedReplicas: NotRequired[int]
    # The first 1000 members in desired order.
    members: NotRequired[list[FleetMember]]
    # Whether the fleet has more members: see fleets/{name}/members.
    membersTruncated: NotRequired[bool]
    # First time that all members were ready.
    readyTime: NotRequired[str]
    # Start of the first claim.
    firstClaimTime: NotRequired[str]
    # Ready, Progressing, ScalingDown, Degraded, Deleting and ResetRequired.
    conditions: NotRequired[list[Condition]]


class FleetTemplate(TypedDict):
    # Labels of the cluster, in addition to kplane.dev/fleet.
    labels: NotRequired[dict[str, str]]
    # Spec of the cluster, as in the HyperFleet API.
    spec: NotRequired[dict[str, Any]]
    # Node pools of the cluster.
    nodePools: NotRequired[list[TemplateNodePool]]
    # Kubernetes manifests that the plane of the cluster has at first, up to 1 MiB.
    objects: NotRequired[list[FleetTemplateObjects]]
    # A Scenario with the content. It excludes the other fields of the template.
    scenarioRef: NotRequired[ScenarioReference]


class FleetTemplateObjects(TypedDict):
    apiVersion: NotRequired[str]
    kind: NotRequired[str]
    metadata: NotRequired[ObjectMeta]


class FleetUpdateStrategy(TypedDict):
    # OnReplenish changes new members only. RollingUpdate and Recreate replace unclaimed members,
    # step by step or all together.
    type: NotRequired[Literal["OnReplenish", "RollingUpdate", "Recreate"]]
    # Options of RollingUpdate.
    rollingUpdate: NotRequired[FleetRollingUpdate]


ListMeta = TypedDict("ListMeta", {
    # Token for the next page; empty on the last page.
    "continue": 'NotRequired[str]',
    # Number of objects after this page, if known.
    "remainingItemCount": 'NotRequired[int]',
    # Version of the list. Watches start at it.
    "resourceVersion": 'NotRequired[str]',
    # Deprecated; the server no longer sets it.
    "selfLink": 'NotRequired[str]',
})


class ManagedFieldsEntry(TypedDict):
    # Name of the manager.
    manager: NotRequired[str]
    # `Apply`, or `Update` for all other writes.
    operation: NotRequired[str]
    # API version of the field names.
    apiVersion: NotRequired[str]
    # Time of the last change of this entry.
    time: NotRequired[str]
    # Format of the fields: `FieldsV1`.
    fieldsType: NotRequired[str]
    # The set of fields in the format FieldsV1.
    fieldsV1: NotRequired[dict[str, Any]]
    # Subresource that the manager wrote; empty for the resource itself.
    subresource: NotRequired[str]


class ObjectMeta(TypedDict):
    # Name must be unique within a namespace. Is required when creating resources, although some
    # resources may allow a client to request the generation of an appropriate name automatically.
    # Name is primarily intended for creation idempotence and configuration definition. Cannot be
    # updated. More info:
    # https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names
    name: NotRequired[str]
    # Prefix of a name that the server generates if there is no name.
    generateName: NotRequired[str]
    # Namespace defines the space within which each name must be unique. An empty namespace is
    # equivalent to the "default" namespace, but "default" is the canonical representation. Must be
    # a DNS_LABEL. Cannot be updated. More info:
    # https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces
    namespace: NotRequired[str]
    # Deprecated; the server no longer sets it.
    selfLink: NotRequired[str]
    # UID is the unique in time and space value for this object. It is typically generated by the
    # server on successful creation of a resource and is not allowed to change on PUT operations.
    # Populated by the system. Read-only. More info:
    # https://kubernetes.io/docs/concepts/overview/working-with-objects/names#uids
    uid: NotRequired[str]
    # Opaque version of the object for concurrent changes and watches.
    resourceVersion: NotRequired[str]
    # A sequence number representing a specific generation of the desired state. Populated by the
    # system. Read-only.
    generation: NotRequired[int]
    # CreationTimestamp is a timestamp representing the server time when this object was created.
    # It is not guaranteed to be set in happens-before order across separate operations. Clients
    # may not set this value. It is represented in RFC3339 form and is in UTC. Populated by the
    # system. Read-only. Null for lists. More info:
    # https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
    creationTimestamp: NotRequired[str]
    # Time of the deletion request. The object exists until it has no finalizers.
    deletionTimestamp: NotRequired[str]
    # Seconds that the object may take to terminate.
    deletionGracePeriodSeconds: NotRequired[int]
    # Map of string keys and values that can be used to organize and categorize (scope and select)
    # objects. May match selectors of replication controllers and services. More info:
    # https://kubernetes.io/docs/concepts/overview/working-with-objects/labels
    labels: NotRequired[dict[str, str]]
    # Annotations is an unstructured key value map stored with a resource that may be set by
    # external tools to store and retrieve arbitrary metadata. They are not queryable and should be
    # preserved when modifying objects. More info:
    # https://kubernetes.io/docs/concepts/overview/working-with-objects/annotations
    annotations: NotRequired[dict[str, str]]
    # Names of controllers that must act before the object is removed.
    finalizers: NotRequired[list[str]]
    # Objects that this object depends on. Without owners it is garbage-collected.
    ownerReferences: NotRequired[list[OwnerReference]]
    # Which manager set which fields. The server maintains it.
    managedFields: NotRequired[list[ManagedFieldsEntry]]


class OwnerReference(TypedDict):
    # API version of the owner.
    apiVersion: str
    # Kind of the owner.
    kind: str
    # Name of the owner.
    name: str
    # UID of the owner.
    uid: str
    # Whether the owner is the managing controller.
    controller: NotRequired[bool]
    # Whether a foreground deletion of the owner waits for this object.
    blockOwnerDeletion: NotRequired[bool]


class Preconditions(TypedDict):
    # Resource version that the object must have.
    resourceVersion: NotRequired[str]
    # UID that the object must have.
    uid: NotRequired[str]


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

RawExtension: TypeAlias = 'dict[str, Any]'


# The number of replicas of an object.
class Scale(TypedDict):
    # APIVersion defines the versioned schema of this representation of an object. Servers should
    # convert recognized schemas to the latest internal value, and may reject unrecognized values.
    # More info:
    # https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
    apiVersion: NotRequired[str]
    # Kind is a string value representing the REST resource this object represents. Servers may
    # infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase.
    # More info:
    # https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
    kind: NotRequired[str]
    # Standard object's metadata. More info:
    # https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
    metadata: NotRequired[ObjectMeta]
    # The desired number of replicas.
    spec: NotRequired[ScaleSpec]
    # The observed number of replicas.
    status: NotRequired[ScaleStatus]


class ScaleSpec(TypedDict):
    # Desired number of replicas.
    replicas: NotRequired[int]


class ScaleStatus(TypedDict):
    # Observed number of replicas.
    replicas: int
    # Label selector of the replicas.
    selector: NotRequired[str]


# Initial content of members that several fleets share.
class Scenario(TypedDict):
    apiVersion: Literal["kplane.dev/v1"]
    kind: Literal["Scenario"]
    # Standard object's metadata. More info:
    # https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata
    metadata: ObjectMeta
    # Initial content of members. In string values, ${name} is the name of the member and ${index}
    # its number.
    spec: NotRequired[ScenarioSpec]


# A list of objects of kind Scenario.
class ScenarioList(TypedDict):
    apiVersion: Literal["kplane.dev/v1"]
    # The objects.
    items: list[Scenario]
    kind: Literal["ScenarioList"]
    # Metadata of a list.
    metadata: ListMeta


class ScenarioReference(TypedDict):
    # Name of the Scenario.
    name: str


class ScenarioSpec(TypedDict):
    # Labels of the cluster, in addition to kplane.dev/fleet.
    labels: NotRequired[dict[str, str]]
    # Spec of the cluster, as in the HyperFleet API.
    spec: NotRequired[dict[str, Any]]
    # Node pools of the cluster.
    nodePools: NotRequired[list[TemplateNodePool]]
    # Kubernetes manifests that the plane of the cluster has at first, up to 1 MiB.
    objects: NotRequired[list[ScenarioSpecObjects]]


class ScenarioSpecObjects(TypedDict):
    apiVersion: NotRequired[str]
    kind: NotRequired[str]
    metadata: NotRequired[ObjectMeta]


# The content of a cluster and its plane.
class Snapshot(TypedDict):
    # The ID or the name of the cluster in the request.
    cluster: str
    # The ID of the cluster.
    id: str
    # The time of the snapshot.
    snapshotTime: str
    # The snapshot includes every change of the cluster up to this version.
    resourceVersion: str
    # The number of resources that are available.
    liveResources: int
    # The resources with items, first those of the cluster.
    resources: list[SnapshotResource]


# The snapshot, or a change that clients apply to it.
class SnapshotEvent(TypedDict):
    type: Literal["SNAPSHOT", "ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"]
    # The API group of a changed object.
    group: NotRequired[str]
    # The plural of a changed object.
    resource: NotRequired[str]
    object: dict[str, Any]
    resource_version: str


# The objects of one resource.
class SnapshotResource(TypedDict):
    # The API group; empty for the core group, and `hyperfleet` for the cluster.
    group: str
    # The plural of the kind
    resource: str
    # Always true, because a snapshot is complete.
    synced: bool
    # The number of items.
    itemCount: int
    # The objects, without managedFields.
    items: list[dict[str, Any]]


# The result of an operation, also of a failed one.
class Status(TypedDict):
    # APIVersion defines the versioned schema of this representation of an object. Servers should
    # convert recognized schemas to the latest internal value, and may reject unrecognized values.
    # More info:
    # https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#resources
    apiVersion: NotRequired[str]
    # HTTP status code.
    code: NotRequired[int]
    # Details of a failure.
    details: NotRequired[StatusDetails]
    # Kind is a string value representing the REST resource this object represents. Servers may
    # infer this from the endpoint the client submits requests to. Cannot be updated. In CamelCase.
    # More info:
    # https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#types-kinds
    kind: NotRequired[str]
    # Explanation for readers.
    message: NotRequired[str]
    # Metadata of a list.
    metadata: NotRequired[ListMeta]
    # Reason for programs, such as NotFound.
    reason: NotRequired[str]
    # Success or Failure.
    status: NotRequired[str]


class StatusCause(TypedDict):
    # Path of the field.
    field: NotRequired[str]
    # Explanation for readers.
    message: NotRequired[str]
    # Reason for programs.
    reason: NotRequired[str]


class StatusDetails(TypedDict):
    # Causes of the failure.
    causes: NotRequired[list[StatusCause]]
    # Group of the resource.
    group: NotRequired[str]
    # Resource or kind.
    kind: NotRequired[str]
    # Name of the object.
    name: NotRequired[str]
    # Seconds after which clients may retry.
    retryAfterSeconds: NotRequired[int]
    # UID of the object.
    uid: NotRequired[str]


class TemplateNodePool(TypedDict):
    # Name of the node pool, unique in the template.
    name: str
    # Labels of the node pool.
    labels: NotRequired[dict[str, str]]
    # Spec of the node pool, as in the HyperFleet API.
    spec: NotRequired[dict[str, Any]]


# A violated rule.
class Violation(TypedDict):
    # A path in the body or the name of a parameter.
    field: str
    message: str
    constraint: NotRequired[str]
    # The rejected value.
    value: NotRequired[Any]
