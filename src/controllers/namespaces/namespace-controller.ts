import { isConflict } from '../client/api-failures.ts'
import type { FleetChange, FleetClient } from '../client/fleet-client.ts'
import { BoundedMap } from '../runtime/bounded-map.ts'
import { startControlLoop } from '../runtime/control-loop.ts'
import { type PassSchedule, startPasses } from '../runtime/passes.ts'
import type { Timers } from '../runtime/timers.ts'
import { WorkQueue } from '../runtime/work-queue.ts'
import { finishNamespace } from './finish-namespace.ts'

const MAX_QUEUE_SIZE = 50_000
const MAX_WAITING = 10_000
/** Until then, more objects of the namespace may be removed. */
const COALESCE_MS = 50
/** A namespace with remaining content is checked again, in case a change was not seen. */
const RECHECK_MS = 5000
const HOUR_MS = 3_600_000

interface NamespaceControllerOptions {
  readonly fleet: FleetClient
  readonly timers: Timers
  readonly random: () => number
  readonly concurrency?: number
  readonly onError: (error: unknown) => void
}

interface TerminatingNamespace {
  readonly plane: string
  readonly name: string
}

function idOf({ plane, name }: TerminatingNamespace): string {
  return `${plane}/${name}`
}

/** Empties the namespaces of all planes whose deletion has begun. */
export async function startNamespaceController(
  options: NamespaceControllerOptions,
): Promise<AsyncDisposable> {
  const { fleet, timers, random, onError, concurrency = 4 } = options
  let passes: PassSchedule | null = null
  const queue = new WorkQueue<TerminatingNamespace>({
    idOf,
    backoff: { baseMs: 100, maxMs: 60_000 },
    maxSize: MAX_QUEUE_SIZE,
    onOverflow: () => passes?.request(),
    timers,
    random,
  })
  /** Namespaces with remaining content: the removal of an object may be the last one. */
  const waiting = new BoundedMap<true>(MAX_WAITING)
  const subscription = await fleet.followAll('*', {
    onChanges: (changes) => {
      for (const change of changes) observe(change, queue, waiting)
    },
    onLost: () => passes?.request(),
  })

  async function reconcile(item: TerminatingNamespace): Promise<void> {
    const client = fleet.plane(item.plane)
    // Objects that are removed during the attempt cause another one.
    waiting.set(idOf(item), true)
    const result = await finishNamespace(client, item.name, timers.clock)
    if (result === 'done') waiting.delete(idOf(item))
    else queue.addAfter(item, RECHECK_MS)
  }

  const loop = startControlLoop({
    queue,
    concurrency,
    reconcile,
    onError: (error) => {
      // Another writer has changed the namespace; the next attempt reads it again.
      if (!isConflict(error)) onError(error)
    },
  })
  const started = startPasses({
    timers,
    random,
    everyMs: HOUR_MS,
    onError,
    pass: (signal) => () => findTerminating(fleet, queue, signal),
  })
  passes = started
  return {
    [Symbol.asyncDispose]: async () => {
      await subscription[Symbol.asyncDispose]()
      await Promise.all([loop[Symbol.asyncDispose](), started[Symbol.asyncDispose]()])
    },
  }
}

function observe(
  { resource, type, plane, namespace, name, text }: FleetChange,
  queue: WorkQueue<TerminatingNamespace>,
  waiting: BoundedMap<true>,
): void {
  if (resource === 'namespaces') {
    if (type !== 'DELETED' && text.includes('"deletionTimestamp"')) queue.add({ plane, name })
    return
  }
  if (type !== 'DELETED' || namespace === '') return
  const item = { plane, name: namespace }
  if (waiting.has(idOf(item))) queue.addAfter(item, COALESCE_MS)
}

async function findTerminating(
  fleet: FleetClient,
  queue: WorkQueue<TerminatingNamespace>,
  signal: AbortSignal,
): Promise<void> {
  for await (const page of fleet.scan({ resource: 'namespaces', isTerminating: true })) {
    for (const { plane, name } of page) queue.add({ plane, name })
    await queue.whenBelow(MAX_QUEUE_SIZE / 2)
    if (signal.aborted) return
  }
}
