import type { FleetChange, FleetClient } from '../../planes/controllers/client/fleet-client.ts'
import { storageName } from '../../planes/controllers/client/resource-names.ts'
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
import { createPacer } from './pacer.ts'
import type { FleetParts } from './fleet-parts.ts'
import { reconcileFleet } from './reconcile-fleet.ts'

const COALESCE_MS = 250
/** Limits the time that a large fleet whose members change all the time takes from others. */
const PAUSE_PER_RUN = 4
const MAX_PAUSE_MS = 1000
const MAX_FLEETS = 50_000
/** Longer delays are split, because timers have a limit. */
const MAX_DELAY_MS = 3_600_000

/** A fleet, or all fleets that use a Scenario. */
interface Item {
  readonly type: 'fleet' | 'scenario'
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
  const pacer = createPacer({
    intervalMs: COALESCE_MS,
    maxMs: MAX_PAUSE_MS,
    pausePerRun: PAUSE_PER_RUN,
    maxSize: MAX_FLEETS,
    now: timers.now,
  })
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
          for (const { plane, value: name } of labels) {
            const delay = pacer.delayOf(keyOf({ plane, name }))
            queue.addAfter({ type: 'fleet', plane, name }, delay)
          }
        },
        onLost,
      }),
    reconcile: async (item, queue) => {
      const { type, plane, name } = item
      if (type === 'scenario') return findUsers(fleet, item, { queue, failed })
      pacer.begin(keyOf(item))
      try {
        const delay = await reconcileFleet(partsOf(plane), name)
        if (delay !== null) queue.addAfter(item, Math.min(Math.max(0, delay), MAX_DELAY_MS))
      } finally {
        pacer.end(keyOf(item))
      }
    },
    findAll: (...pass) =>
      queueObjects(pass, { resource: storageName(FLEETS) }, ({ plane, name }): readonly Item[] =>
        isRoot(plane) ? [{ type: 'fleet', plane, name }] : [],
      ),
  })
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
