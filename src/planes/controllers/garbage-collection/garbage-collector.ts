import { isConflict } from '../client/api-failures.ts'
import type { FleetClient } from '../client/fleet-client.ts'
import { startControlLoop } from '../runtime/control-loop.ts'
import { type PassSchedule, startPasses } from '../runtime/passes.ts'
import type { ControllerMetrics } from '../runtime/controller-metrics.ts'
import type { Timers } from '../runtime/timers.ts'
import { WorkQueue } from '../runtime/work-queue.ts'
import { Collector } from './collector.ts'
import { firstPosition, runFullPass } from './full-pass.ts'
import { idOfWork, type Work } from './work-of-change.ts'

const MAX_QUEUE_SIZE = 100_000
const HOUR_MS = 3_600_000

export interface GarbageCollectorOptions {
  readonly fleet: FleetClient
  readonly timers: Timers
  readonly random: () => number
  readonly concurrency?: number
  readonly metrics?: ControllerMetrics
  readonly onError: (error: unknown) => void
}

/** The garbage collector of all planes. */
export interface GarbageCollector extends AsyncDisposable {
  /** Resolves after the first full pass. */
  readonly passed: Promise<void>
}

/**
 * Collects the objects whose owners are gone, in all planes. Changes start the work, and reads
 * decide: an owner is absent only if a read finds no object with its name and uid. A full pass at
 * the start, and after lost changes, finds the work that no change announces.
 */
export async function startGarbageCollector(
  options: GarbageCollectorOptions,
): Promise<GarbageCollector> {
  const { fleet, timers, random, metrics, concurrency = 8 } = options
  const onError = (error: unknown): void => {
    // Another writer was faster; the next attempt reads the object again.
    if (!isConflict(error)) options.onError(error)
  }
  let passes: PassSchedule | null = null
  const queue = new WorkQueue<Work>({
    idOf: idOfWork,
    backoff: { baseMs: 50, maxMs: 60_000 },
    maxSize: MAX_QUEUE_SIZE,
    onOverflow: () => passes?.request(),
    timers,
    random,
  })
  const collector = new Collector({ fleet, queue, onError })
  const subscription = await fleet.followAll('*', {
    onChanges: (changes) => {
      for (const change of changes) collector.observe(change)
    },
    onLost: () => passes?.request(),
  })
  const loop = startControlLoop({
    name: 'garbage-collector',
    metrics,
    queue,
    concurrency,
    reconcile: (work) => collector.run(work),
    onError,
  })
  passes = startPasses({
    timers,
    random,
    everyMs: HOUR_MS,
    onError,
    pass: (signal) => {
      const position = firstPosition()
      return () => runFullPass({ fleet, queue, signal }, position)
    },
  })
  const started = passes
  return {
    passed: started.passed,
    [Symbol.asyncDispose]: async () => {
      await subscription[Symbol.asyncDispose]()
      await Promise.all([loop[Symbol.asyncDispose](), started[Symbol.asyncDispose]()])
    },
  }
}
