import {
  type ControllerContext,
  type FleetChange,
  type FleetClient,
  type FleetObject,
  queueObjects,
  startController,
  storageName,
  type WorkQueue,
} from 'flotilla/controllers'
import { bindClaim } from './bind-claim.ts'
import { CLAIMS, CLASSES } from './snapshot-resources.ts'

/** A claim, or all claims of a plane after a change of its classes. */
type Item =
  | {
      readonly type: 'claim'
      readonly plane: string
      readonly namespace: string
      readonly name: string
    }
  | { readonly type: 'plane'; readonly plane: string }

/** Binds SnapshotClaims to SnapshotClasses in all planes. */
export function startClaimController(context: ControllerContext): Promise<AsyncDisposable> {
  const { fleet, timers } = context
  return startController<Item>(context, {
    name: 'snapshot-claims',
    resources: [storageName(CLAIMS), storageName(CLASSES)],
    idOf: (item) =>
      item.type === 'plane' ? item.plane : `${item.plane}/${item.namespace}/${item.name}`,
    concurrency: 4,
    observe,
    reconcile: (item, queue) => {
      if (item.type === 'plane') return queueClaims(fleet, queue, item.plane)
      return bindClaim(fleet.plane(item.plane), item, timers.clock())
    },
    findAll: (...pass) =>
      queueObjects(pass, { resource: storageName(CLAIMS) }, (claim) => [itemOf(claim)]),
  })
}

function observe(change: FleetChange, queue: WorkQueue<Item>): void {
  const { resource, plane, namespace, name, type } = change
  if (resource === storageName(CLASSES)) return queue.add({ type: 'plane', plane })
  if (type !== 'DELETED') queue.add({ type: 'claim', plane, namespace, name })
}

/** Queues the claims of a plane. */
async function queueClaims(
  fleet: FleetClient,
  queue: WorkQueue<Item>,
  plane: string,
): Promise<void> {
  for await (const page of fleet.scan({ resource: storageName(CLAIMS), plane })) {
    for (const claim of page) queue.add(itemOf(claim))
  }
}

function itemOf({ plane, namespace, name }: FleetObject): Item {
  return { type: 'claim', plane, namespace, name }
}
