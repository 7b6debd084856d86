import { isConflict } from '../client/api-failures.ts'
import type { FleetChange, FleetClient } from '../client/fleet-client.ts'
import type { Backoff } from './backoff.ts'
import { startControlLoop } from './control-loop.ts'
import { type PassSchedule, startPasses } from './passes.ts'
import type { FullPass } from './queue-objects.ts'
import type { ControllerMetrics } from './controller-metrics.ts'
import type { Timers } from './timers.ts'
import { WorkQueue } from './work-queue.ts'

const MAX_QUEUE_SIZE = 50_000
const BACKOFF: Backoff = { baseMs: 100, maxMs: 60_000 }
const HOUR_MS = 3_600_000

/** The dependencies of every controller. */
export interface ControllerContext {
  readonly fleet: FleetClient
  readonly timers: Timers
  readonly random: () => number
  readonly metrics?: ControllerMetrics
  /** A reconciliation or a pass has failed; it runs again. */
  readonly onError: (error: unknown) => void
}

/** The rules of a controller. */
export interface ControllerRules<Item> {
  /** Names the controller in metrics. */
  readonly name: string
  /** The resources whose changes it observes, such as `configmaps`. */
  readonly resources: readonly string[] | '*'
  readonly idOf: (item: Item) => string
  /** Combines items with the same ID; otherwise the newest replaces the others. */
  readonly merge?: (waiting: Item, added: Item) => Item
  readonly concurrency: number
  /** Pause between full passes; an hour if absent. */
  readonly passEveryMs?: number
  /** Queues the items that a change concerns. */
  readonly observe: (change: FleetChange, queue: WorkQueue<Item>) => void
  /** Drops the state of a plane whose objects are gone, or of all planes after lost changes. */
  readonly forget?: (plane: string | null) => void
  /** Follows changes of other things than objects. */
  readonly followFurther?: (queue: WorkQueue<Item>, onLost: () => void) => Promise<AsyncDisposable>
  readonly reconcile: (item: Item, queue: WorkQueue<Item>) => Promise<void>
  /** Finds the items that changes would have announced if the controller had been running. */
  readonly findAll: (...pass: FullPass<Item>) => Promise<void>
}

/**
 * Starts a controller of all planes: changes and full passes fill its queue. A full pass runs at
 * the start, in regular intervals, and after changes were lost or the queue was full.
 */
export async function startController<Item>(
  { fleet, timers, random, metrics, onError }: ControllerContext,
  rules: ControllerRules<Item>,
): Promise<AsyncDisposable> {
  let passes: PassSchedule | null = null
  const queue = new WorkQueue<Item>({
    idOf: rules.idOf,
    ...(rules.merge && { merge: rules.merge }),
    backoff: BACKOFF,
    maxSize: MAX_QUEUE_SIZE,
    onOverflow: () => passes?.request(),
    timers,
    random,
  })
  const onLost = (): void => {
    rules.forget?.(null)
    passes?.request()
  }
  const subscription = await fleet.followAll(rules.resources, {
    onChanges: (changes) => {
      for (const change of changes) rules.observe(change, queue)
    },
    onLost,
    onEmptied: (plane) => rules.forget?.(plane),
  })
  const further = await rules.followFurther?.(queue, onLost)
  const loop = startControlLoop({
    name: rules.name,
    metrics,
    queue,
    concurrency: rules.concurrency,
    reconcile: (item) => rules.reconcile(item, queue),
    onError: (error) => {
      // Another writer was faster; the next attempt reads the object again.
      if (!isConflict(error)) onError(error)
    },
  })
  const started = startPasses({
    timers,
    random,
    everyMs: rules.passEveryMs ?? HOUR_MS,
    onError,
    pass: (signal) => () => rules.findAll(queue, signal, fleet),
  })
  passes = started
  return {
    [Symbol.asyncDispose]: async () => {
      await subscription[Symbol.asyncDispose]()
      await further?.[Symbol.asyncDispose]()
      await Promise.all([loop[Symbol.asyncDispose](), started[Symbol.asyncDispose]()])
    },
  }
}
