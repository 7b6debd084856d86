/** Controllers of planes: clients, runtime, events and conditions. */
export { isConflict, isObjectNotFound } from '../planes/controllers/client/api-failures.ts'
export type {
  FleetChange,
  FleetClient,
  FleetObject,
  FleetSubscriber,
} from '../planes/controllers/client/fleet-client.ts'
export type { FleetSelection } from '../store/objects/model/fleet-query.ts'
export {
  createHttpFleetClient,
  type HttpFleetOptions,
} from '../planes/controllers/client/http/http-fleet-client.ts'
export type { HttpOptions } from '../planes/controllers/client/http/http-options.ts'
export { createHttpPlaneClient } from '../planes/controllers/client/http/http-plane-client.ts'
export { createInProcessFleetClient } from '../planes/controllers/client/in-process/in-process-fleet-client.ts'
export type {
  ObjectName,
  PatchOptions,
  PlaneClient,
  ResourceName,
  ServedResource,
  WatchEvent,
} from '../planes/controllers/client/plane-client.ts'
export { readOrNull } from '../planes/controllers/client/read-or-null.ts'
export { storageName } from '../planes/controllers/client/resource-names.ts'
export { type ObjectEvent, recordEvent } from '../planes/controllers/reporting/record-event.ts'
export {
  type DecidedCondition,
  timedConditions,
} from '../planes/controllers/reporting/timed-conditions.ts'
export type { Backoff } from '../planes/controllers/runtime/backoff.ts'
export { startControlLoop } from '../planes/controllers/runtime/control-loop.ts'
export type { StoreChange } from '../planes/controllers/runtime/informer-store.ts'
export { type Informer, startInformer } from '../planes/controllers/runtime/informer.ts'
export { type PassSchedule, startPasses } from '../planes/controllers/runtime/passes.ts'
export { type FullPass, queueObjects } from '../planes/controllers/runtime/queue-objects.ts'
export { ReadyList } from '../planes/controllers/runtime/ready-list.ts'
export {
  type ControllerContext,
  type ControllerRules,
  startController,
} from '../planes/controllers/runtime/start-controller.ts'
export {
  type ControllerParts,
  named,
  type StartController,
  startInOrder,
} from '../planes/controllers/runtime/start-in-order.ts'
export { systemTimers, type Timers, wait } from '../planes/controllers/runtime/timers.ts'
export { WorkQueue } from '../planes/controllers/runtime/work-queue.ts'
export { startControllers } from '../planes/controllers/start-controllers.ts'
