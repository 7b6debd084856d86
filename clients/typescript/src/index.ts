export type * from './generated/hyperfleet.ts'
export type { ClientOptions } from './client-options.ts'
export { Client } from './client.ts'
export { ApiError } from './errors/api-error.ts'
export type { ApiErrorDetails, FieldError } from './errors/api-error.ts'
export {
  Conflict,
  Forbidden,
  Invalid,
  NotFound,
  PreconditionFailed,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from './errors/status-errors.ts'
export { WaitTimeout } from './errors/wait-timeout.ts'
export type { ApiRequest, ApiResponse, CallOptions } from './http/request.ts'
export { Plane } from './planes/plane.ts'
export type { PlaneRequest, PlaneWatchOptions, StateOptions } from './planes/plane.ts'
export type { StateDelta } from './planes/follow-states.ts'
export type { StateResult, StatesOptions } from './planes/read-states.ts'
export { Snapshot } from './planes/snapshot.ts'
export type { SnapshotItem, SnapshotResource } from './planes/snapshot.ts'
export type { CreateManyOptions, CreateResult } from './resources/bulk.ts'
export { Collection } from './resources/collection.ts'
export type { AnyResource } from './resources/any-resource.ts'
export type { Tagged } from './resources/collection.ts'
export type { ResourceWatchOptions } from './resources/watched-resources.ts'
export { Clusters } from './resources/clusters.ts'
export type { NewCluster } from './resources/clusters.ts'
export type { ChangeListOptions } from './resources/change-list-options.ts'
export { KindCollection } from './resources/kind-collection.ts'
export type { BelowParent, NewResource, ParentPath } from './resources/kind-collection.ts'
export { List } from './resources/list.ts'
export type { ListOptions } from './resources/list-options.ts'
export { NodePools } from './resources/node-pools.ts'
export type { NewNodePool, NodePoolListOptions } from './resources/node-pools.ts'
export type { Page } from './resources/page.ts'
export { RootCollection } from './resources/root-collection.ts'
export { Statuses } from './resources/statuses.ts'
export type { DiscardReason, ReportResult, StatusReport } from './resources/statuses.ts'
export type { UpsertResult } from './resources/upsert.ts'
export { Views } from './resources/views.ts'
export type { NewView } from './resources/views.ts'
export type { ResourceCheck, WaitOptions } from './resources/wait-for.ts'
export type { ChangeOptions, CreateOptions } from './resources/write-options.ts'
export type { WatchEvent } from './watch/watch-event.ts'
export type { WatchOptions } from './watch/follow.ts'
export { InvalidWebhook, verifyWebhook } from './webhooks/verify-webhook.ts'
export type { WebhookHeaders } from './webhooks/verify-webhook.ts'
export { Webhooks } from './webhooks/webhooks.ts'
export type { DeliveryListOptions, RotationOptions } from './webhooks/webhooks.ts'
export { durationText } from './readiness/duration-text.ts'
export { explainReadiness } from './readiness/explain-readiness.ts'
export type { ReadinessExplanation, ReadinessInput } from './readiness/explain-readiness.ts'
export type {
  ReadinessRequirement,
  ReadinessResource,
  RequirementState,
} from './readiness/readiness-requirement.ts'
export type { AuditListOptions } from './service/audit-options.ts'
export type {
  AdapterListOptions,
  BreakdownOptions,
  SeriesOptions,
} from './service/breakdown-options.ts'
export type { LabelKeyOptions, LabelValueOptions } from './service/label-options.ts'
export { runWorker } from './adapter/run-worker.ts'
export type { WorkerOptions } from './adapter/worker-options.ts'
export { runAdapter } from './adapter/run-adapter.ts'
export type {
  AdapterEvent,
  AdapterKinds,
  AdapterOptions,
  Reconcile,
} from './adapter/adapter-options.ts'
export type { AdapterResult } from './adapter/adapter-result.ts'
export { FleetDegraded, FleetTimeout } from './errors/fleet-errors.ts'
export { Claim } from './fleets/claim.ts'
export type { ReleasePolicy } from './fleets/claim.ts'
export type { ClaimOptions } from './fleets/claim-member.ts'
export { EphemeralFleet } from './fleets/ephemeral-fleet.ts'
export { Fleet } from './fleets/fleet.ts'
export type { Member } from './fleets/fleet-member.ts'
export type {
  DeleteFleetOptions,
  EphemeralFleetOptions,
  NewFleet,
  RecycleOptions,
} from './fleets/fleet-options.ts'
export type { FleetState } from './fleets/fleet-status.ts'
export type { FleetListOptions } from './fleets/read-fleets.ts'
export type { MemberListOptions } from './fleets/read-members.ts'
export type {
  Fleet as FleetObject,
  FleetClaim,
  FleetMember,
  FleetRecycling,
  FleetSpec,
  FleetTemplate,
  FleetUpdateStrategy,
} from './generated/kplane.ts'
