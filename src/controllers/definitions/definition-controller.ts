import { isConflict } from '../client/api-failures.ts'
import type { FleetChange, FleetClient } from '../client/fleet-client.ts'
import { BoundedMap } from '../runtime/bounded-map.ts'
import { startControlLoop } from '../runtime/control-loop.ts'
import { type PassSchedule, startPasses } from '../runtime/passes.ts'
import type { Timers } from '../runtime/timers.ts'
import { WorkQueue } from '../runtime/work-queue.ts'
import { decideDefinitionStatus } from './decide-definition-status.ts'
import { reconcilePlane } from './reconcile-plane.ts'

const RESOURCE = 'customresourcedefinitions.apiextensions.k8s.io'
const MAX_QUEUE_SIZE = 50_000
const MAX_WAITING = 10_000
/** Definitions are often created together: one attempt handles them. */
const COALESCE_MS = 20
/** Instances of a deleted definition are checked again. */
const RECHECK_MS = 1000
const HOUR_MS = 3_600_000

interface DefinitionControllerOptions {
  readonly fleet: FleetClient
  readonly timers: Timers
  readonly random: () => number
  readonly concurrency?: number
  readonly onError: (error: unknown) => void
}

/** Accepts the names of definitions in all planes, and deletes the instances of deleted ones. */
export async function startDefinitionController(
  options: DefinitionControllerOptions,
): Promise<AsyncDisposable> {
  const { fleet, timers, random, onError, concurrency = 4 } = options
  let passes: PassSchedule | null = null
  const queue = new WorkQueue<string>({
    idOf: (plane) => plane,
    backoff: { baseMs: 100, maxMs: 60_000 },
    maxSize: MAX_QUEUE_SIZE,
    onOverflow: () => passes?.request(),
    timers,
    random,
  })
  /** Planes with definitions that wait for a name: any change may free it. */
  const conflicted = new BoundedMap<true>(MAX_WAITING)
  const subscription = await fleet.followAll([RESOURCE], {
    onChanges: (changes) => {
      for (const change of changes) {
        if (conflicted.has(change.plane) || needsWork(change)) {
          queue.addAfter(change.plane, COALESCE_MS)
        }
      }
    },
    onLost: () => passes?.request(),
  })
  const loop = startControlLoop({
    queue,
    concurrency,
    reconcile: async (plane) => {
      const result = await reconcilePlane(fleet.plane(plane), timers.clock)
      if (result.hasConflicts) conflicted.set(plane, true)
      else conflicted.delete(plane)
      if (result.hasInstances) queue.addAfter(plane, RECHECK_MS)
    },
    onError: (error) => {
      if (!isConflict(error)) onError(error)
    },
  })
  const started = startPasses({
    timers,
    random,
    everyMs: HOUR_MS,
    onError,
    pass: (signal) => () => findPlanes(fleet, queue, signal),
  })
  passes = started
  return {
    [Symbol.asyncDispose]: async () => {
      await subscription[Symbol.asyncDispose]()
      await Promise.all([loop[Symbol.asyncDispose](), started[Symbol.asyncDispose]()])
    },
  }
}

/** Whether a change may need another status. Most changes are those of the controller itself. */
function needsWork({ type, object }: FleetChange): boolean {
  if (type === 'DELETED') return false
  const definition = object()
  if (definition.metadata.deletionTimestamp !== undefined) return true
  return decideDefinitionStatus(definition, [], new Date(0)) !== null
}

async function findPlanes(
  fleet: FleetClient,
  queue: WorkQueue<string>,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of fleet.scan({ resource: RESOURCE })) {
    for (const { plane } of page) queue.add(plane)
    await queue.whenBelow(MAX_QUEUE_SIZE / 2)
    if (signal.aborted) return
  }
}
