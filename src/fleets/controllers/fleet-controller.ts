import type { FleetChange, FleetClient } from '../../planes/controllers/client/fleet-client.ts'
import { storageName } from '../../planes/controllers/client/resource-names.ts'
import { unreachable } from '../../lib/assert.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { queueObjects } from '../../planes/controllers/runtime/queue-objects.ts'
import {
  type ControllerContext,
  startController,
} from '../../planes/controllers/runtime/start-controller.ts'
import type { WorkQueue } from '../../planes/controllers/runtime/work-queue.ts'
import type { FleetMembersOf } from '../members/fleet-members.ts'
import { FailedMembers } from './failed-members.ts'
import { FLEET_LABEL, FLEETS, SCENARIOS } from './fleet-resources.ts'
import { observedFleet } from './observed-fleet.ts'
import { createFleetRuns, type FleetRuns, MAX_FLEETS } from './fleet-runs.ts'
import type { FleetParts } from './fleet-parts.ts'
import { reconcileFleet, resetReleased } from './reconcile-fleet.ts'

/** Longer delays are split, because timers have a limit. */
const MAX_DELAY_MS = 3_600_000

/** A fleet, its released members, or all fleets that use a Scenario. */
interface Item {
  readonly type: 'fleet' | 'released' | 'scenario'
  /** A root plane. */
  readonly plane: string
  readonly name: string
}

interface Context extends ControllerContext {
  readonly membersOf: FleetMembersOf
  /** Whether a plane has fleets. */
  readonly isRoot: (plane: string) => boolean
}

/** Creates, replaces and removes the members of all fleets. */
export function startFleetController(context: Context): Promise<AsyncDisposable> {
  const { fleet, membersOf, isRoot, timers, random, onError } = context
  const written = new BoundedMap<string>(MAX_FLEETS)
  const failed = new FailedMembers({ now: timers.now, random })
  const runs = createFleetRuns(timers.now)
  const partsOf = (plane: string): FleetParts => ({
    client: fleet.plane(plane),
    members: membersOf(plane, fleet.fence),
    failed,
    timers,
    onWritten: (name, version) => written.set(keyOf({ plane, name }), version),
    onError,
  })
  return startController<Item>(context, {
    name: 'fleets',
    resources: [storageName(FLEETS), storageName(SCENARIOS)],
    idOf: (item) => `${item.type}/${keyOf(item)}`,
    concurrency: 4,
    observe: (change, queue) => {
      if (isRoot(change.plane)) observe(change, queue, written)
    },
    followFurther: (queue, onLost) =>
      fleet.followClusters(FLEET_LABEL, {
        onChanges: (labels) => {
          for (const { plane, value: name } of labels) queueChanged({ plane, name }, queue, runs)
        },
        onLost,
      }),
    reconcile: async (item, queue) => {
      const { type, plane, name } = item
      const parts = partsOf(plane)
      switch (type) {
        case 'scenario':
          return findUsers(fleet, item, { queue, failed })
        case 'released':
          return runs.reset(keyOf(item), () => resetReleased(parts, name))
        case 'fleet': {
          const delay = await runs.reconcile(
            keyOf(item),
            () => reconcileFleet(parts, name),
            () => queue.add({ type: 'released', plane, name }),
          )
          if (delay !== null) queue.addAfter(item, Math.min(Math.max(0, delay), MAX_DELAY_MS))
          return
        }
        default:
          return unreachable(type)
      }
    },
    findAll: (...pass) =>
      queueObjects(pass, { resource: storageName(FLEETS) }, ({ plane, name }): readonly Item[] =>
        isRoot(plane) ? [{ type: 'fleet', plane, name }] : [],
      ),
  })
}

/** A reconciliation without a delay also resets released members. */
function queueChanged(
  fleet: Pick<Item, 'plane' | 'name'>,
  queue: WorkQueue<Item>,
  { delayOf, resetDelayOf }: FleetRuns,
): void {
  const delay = delayOf(keyOf(fleet))
  queue.addAfter({ type: 'fleet', ...fleet }, delay)
  if (delay > 0) queue.addAfter({ type: 'released', ...fleet }, resetDelayOf(keyOf(fleet)))
}

function keyOf({ plane, name }: Pick<Item, 'plane' | 'name'>): string {
  return `${plane}/${name}`
}

function observe(
  { resource, plane, type, name, object }: FleetChange,
  queue: WorkQueue<Item>,
  written: BoundedMap<string>,
): void {
  if (resource !== storageName(FLEETS)) return queue.add({ type: 'scenario', plane, name })
  if (type === 'DELETED') return written.delete(keyOf({ plane, name }))
  const { resourceVersion } = object().metadata
  if (resourceVersion === written.get(keyOf({ plane, name }))) return
  queue.add({ type: 'fleet', plane, name })
}

interface Users {
  readonly queue: WorkQueue<Item>
  readonly failed: FailedMembers
}

/** Queues the fleets whose content is the Scenario. */
async function findUsers(
  fleet: FleetClient,
  { plane, name: scenario }: Item,
  { queue, failed }: Users,
): Promise<void> {
  for await (const page of fleet.scan({ plane, resource: storageName(FLEETS) })) {
    for (const { name, uid, object } of page) {
      if (observedFleet(object()).scenario !== scenario) continue
      // Other content may be valid for members that have failed.
      failed.forget(uid)
      queue.add({ type: 'fleet', plane, name })
    }
  }
}
