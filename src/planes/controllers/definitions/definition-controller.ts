import { isConflict } from '../client/api-failures.ts'
import type { FleetChange, FleetClient } from '../client/fleet-client.ts'
import { startControlLoop } from '../runtime/control-loop.ts'
import type { ControllerMetrics } from '../runtime/controller-metrics.ts'
import { type PassSchedule, startPasses } from '../runtime/passes.ts'
import type { Timers } from '../runtime/timers.ts'
import { WorkQueue } from '../runtime/work-queue.ts'
import { decideDefinitionStatus } from '../../definitions/acceptance/decide-definition-status.ts'
import { createNameIndex, type NameIndex } from './name-index.ts'
import { reconcileDefinition } from './reconcile-definition.ts'

const RESOURCE = 'customresourcedefinitions.apiextensions.k8s.io'
const MAX_QUEUE_SIZE = 50_000
/** Instances of a deleted definition are checked again. */
const RECHECK_MS = 1000
const HOUR_MS = 3_600_000

interface DefinitionControllerOptions {
  readonly fleet: FleetClient
  readonly timers: Timers
  readonly random: () => number
  readonly metrics?: ControllerMetrics
  readonly onError: (error: unknown) => void
}

/** A definition in a plane. */
interface Item {
  readonly plane: string
  readonly name: string
}

/** Accepts the names of definitions in all planes, and deletes the instances of deleted ones. */
export async function startDefinitionController(
  options: DefinitionControllerOptions,
): Promise<AsyncDisposable> {
  const { fleet, timers, random, metrics, onError } = options
  let passes: PassSchedule | null = null
  const names = createNameIndex(fleet)
  const queue = new WorkQueue<Item>({
    idOf: ({ plane, name }) => `${plane}/${name}`,
    backoff: { baseMs: 100, maxMs: 60_000 },
    maxSize: MAX_QUEUE_SIZE,
    onOverflow: () => passes?.request(),
    timers,
    random,
  })
  const subscription = await fleet.followAll([RESOURCE], {
    onChanges: (changes) => {
      for (const change of changes) observe(change, queue, names)
    },
    onLost: () => {
      names.clear()
      passes?.request()
    },
    onEmptied: (plane) => names.forget(plane),
  })
  const loop = startControlLoop({
    name: 'definitions',
    metrics,
    queue,
    // One decision at a time: two definitions must not get the same name.
    concurrency: 1,
    reconcile: async (item) => {
      const parts = { client: fleet.plane(item.plane), names, now: timers.clock }
      const result = await reconcileDefinition(parts, item.name)
      if (result === 'remaining') queue.addAfter(item, RECHECK_MS)
    },
    onError: (error) => {
      // Another writer has changed the definition; the next attempt reads it again.
      if (!isConflict(error)) onError(error)
    },
  })
  const started = startPasses({
    timers,
    random,
    everyMs: HOUR_MS,
    onError,
    pass: (signal) => () => findDefinitions(fleet, queue, signal),
  })
  passes = started
  return {
    [Symbol.asyncDispose]: async () => {
      await subscription[Symbol.asyncDispose]()
      await Promise.all([loop[Symbol.asyncDispose](), started[Symbol.asyncDispose]()])
    },
  }
}

function observe(change: FleetChange, queue: WorkQueue<Item>, names: NameIndex): void {
  const { plane, name } = change
  names.observe(change)
  if (needsWork(change)) queue.add({ plane, name })
  // The change may free a name.
  for (const other of names.waiting(plane)) queue.add({ plane, name: other })
}

/** Whether a change may need another status. Most changes are those of the controller itself. */
function needsWork({ type, object }: FleetChange): boolean {
  if (type === 'DELETED') return false
  const definition = object()
  if (definition.metadata.deletionTimestamp !== undefined) return true
  return decideDefinitionStatus(definition, [], new Date(0)) !== null
}

async function findDefinitions(
  fleet: FleetClient,
  queue: WorkQueue<Item>,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of fleet.scan({ resource: RESOURCE })) {
    for (const { plane, name } of page) queue.add({ plane, name })
    await queue.whenBelow(MAX_QUEUE_SIZE / 2)
    if (signal.aborted) return
  }
}
