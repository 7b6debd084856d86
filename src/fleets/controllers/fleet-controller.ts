import type { FleetChange, FleetClient } from '../../planes/controllers/client/fleet-client.ts'
import { storageName } from '../../planes/controllers/client/resource-names.ts'
import { BoundedMap } from '../../lib/bounded-map.ts'
import {
  type ControllerContext,
  startController,
} from '../../planes/controllers/runtime/start-controller.ts'
import type { WorkQueue } from '../../planes/controllers/runtime/work-queue.ts'
import type { FleetMembersOf } from '../members/fleet-members.ts'
import { FailedMembers } from './failed-members.ts'
import { FLEET_LABEL, FLEETS, ROOT, SCENARIOS } from './fleet-resources.ts'
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
  readonly name: string
}

interface Context extends ControllerContext {
  readonly membersOf: FleetMembersOf
}

/** Creates, replaces and removes the members of all fleets. */
export function startFleetController(context: Context): Promise<AsyncDisposable> {
  const { fleet, membersOf, timers, random, onError } = context
  const written = new BoundedMap<string>(MAX_FLEETS)
  const failed = new FailedMembers({ now: timers.now, random })
  const pacer = createPacer({
    intervalMs: COALESCE_MS,
    maxMs: MAX_PAUSE_MS,
    pausePerRun: PAUSE_PER_RUN,
    maxSize: MAX_FLEETS,
    now: timers.now,
  })
  const parts: FleetParts = {
    client: fleet.plane(ROOT),
    members: membersOf(fleet.fence),
    failed,
    timers,
    onWritten: (name, version) => written.set(name, version),
    onError,
  }
  return startController<Item>(context, {
    name: 'fleets',
    resources: [storageName(FLEETS), storageName(SCENARIOS)],
    idOf: ({ type, name }) => `${type}/${name}`,
    concurrency: 4,
    observe: (change, queue) => observe(change, queue, written),
    followFurther: (queue, onLost) =>
      fleet.followClusters(FLEET_LABEL, {
        onChanges: (names) => {
          for (const name of names) queue.addAfter({ type: 'fleet', name }, pacer.delayOf(name))
        },
        onLost,
      }),
    reconcile: async (item, queue) => {
      const { type, name } = item
      if (type === 'scenario') return findUsers(fleet, name, { queue, failed })
      pacer.begin(name)
      try {
        const delay = await reconcileFleet(parts, name)
        if (delay !== null) queue.addAfter(item, Math.min(Math.max(0, delay), MAX_DELAY_MS))
      } finally {
        pacer.end(name)
      }
    },
    findAll: (queue, signal) => findFleets(fleet, queue, signal),
  })
}

function observe(
  { resource, plane, type, name, object }: FleetChange,
  queue: WorkQueue<Item>,
  written: BoundedMap<string>,
): void {
  if (plane !== ROOT) return
  if (resource !== storageName(FLEETS)) return queue.add({ type: 'scenario', name })
  if (type === 'DELETED') return written.delete(name)
  const { resourceVersion } = object().metadata
  if (resourceVersion !== written.get(name)) queue.add({ type: 'fleet', name })
}

interface Users {
  readonly queue: WorkQueue<Item>
  readonly failed: FailedMembers
}

/** Queues the fleets whose content is the Scenario. */
async function findUsers(
  fleet: FleetClient,
  scenario: string,
  { queue, failed }: Users,
): Promise<void> {
  for await (const page of fleet.scan({ plane: ROOT, resource: storageName(FLEETS) })) {
    for (const { name, object } of page) {
      if (observedFleet(object()).scenario !== scenario) continue
      // Other content may be valid for members that have failed.
      failed.forget(name)
      queue.add({ type: 'fleet', name })
    }
  }
}

async function findFleets(
  fleet: FleetClient,
  queue: WorkQueue<Item>,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of fleet.scan({ plane: ROOT, resource: storageName(FLEETS) })) {
    for (const { name } of page) queue.add({ type: 'fleet', name })
    await queue.whenBelow(MAX_FLEETS / 2)
    if (signal.aborted) return
  }
}
