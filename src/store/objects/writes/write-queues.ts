import { FlotillaError } from '../../../lib/errors.ts'
import { runTogether } from '../../../lib/tracing/request-context.ts'
import { batchSize, MAX_LENGTH, MAX_WRITES } from './batch-writes.ts'
import type { QueuedWrite } from './queued-write.ts'

/**
 * The most statements with writes of several planes at the same time. Writes that arrive meanwhile
 * share the next statement, as creates and reports of resources do.
 */
const CONCURRENCY = 1
/** A statement counts for this time only: a lock that it waits for must not stop all planes. */
const MAX_COUNTED_MS = 100
/** The most statements, so that a slow database keeps connections for reads. */
const MAX_STATEMENTS = 3

/** Writes of one plane that share a statement. */
export interface PlaneBatch {
  readonly plane: string
  readonly writes: readonly QueuedWrite[]
}

interface Options {
  /**
   * Resolves or rejects every write of the batches, some of them after it returns. Calls `release` for
   * each batch when its writes are decided. Must not throw.
   */
  readonly run: (
    batches: readonly PlaneBatch[],
    release: (batch: PlaneBatch) => void,
  ) => Promise<void>
  /** Writes that have not started after this many milliseconds fail with `unavailable`. */
  readonly timeoutMs: number
}

/**
 * Collects writes into statements. Each plane has at most one batch in flight: writes that arrive
 * during it form the next one. Batches of several planes share a statement. An idle plane takes no
 * memory.
 */
export class WriteQueues {
  readonly #options: Options
  readonly #queues = new Map<string, QueuedWrite[]>()
  /** Planes with waiting writes and without a batch in flight, in the order of arrival. */
  #ready: string[] = []
  /** The statements that count. */
  #running = 0
  #statements = 0
  #isScheduled = false

  constructor(options: Options) {
    this.#options = options
  }

  push(queued: QueuedWrite): void {
    const { plane } = queued.write.key
    const queue = this.#queues.get(plane)
    if (queue) {
      queue.push(queued)
      return
    }
    this.#queues.set(plane, [queued])
    this.#ready.push(plane)
    this.#schedule()
  }

  /** Writes of the same turn of the event loop share a statement. */
  #schedule(): void {
    if (this.#isScheduled || !this.#mayStart) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#start()
    })
  }

  #start(): void {
    while (this.#mayStart && this.#ready.length > 0) {
      const batches = this.#take()
      if (batches.length > 0) void this.#run(batches)
    }
  }

  get #mayStart(): boolean {
    return this.#running < CONCURRENCY && this.#statements < MAX_STATEMENTS
  }

  async #run(batches: readonly PlaneBatch[]): Promise<void> {
    this.#running += 1
    this.#statements += 1
    let isCounted = true
    const uncount = (): void => {
      if (isCounted) this.#running -= 1
      isCounted = false
      this.#start()
    }
    const timer = setTimeout(uncount, MAX_COUNTED_MS)
    const contexts = batches.flatMap(({ writes }) => writes.map(({ context }) => context))
    await runTogether('write_objects', contexts, () =>
      this.#options.run(batches, ({ plane }) => this.#release(plane)),
    )
    clearTimeout(timer)
    this.#statements -= 1
    uncount()
  }

  #release(plane: string): void {
    if ((this.#queues.get(plane)?.length ?? 0) === 0) {
      this.#queues.delete(plane)
      return
    }
    this.#ready.push(plane)
    this.#schedule()
  }

  /** Takes the batches of the next statement. */
  #take(): readonly PlaneBatch[] {
    const batches: PlaneBatch[] = []
    let free = MAX_WRITES
    let size = 0
    let taken = 0
    for (const plane of this.#ready) {
      if (free === 0 || size > MAX_LENGTH) break
      taken += 1
      const queue = this.#queues.get(plane) ?? []
      this.#rejectLate(queue)
      const writes = queue.splice(0, batchSize(queue, free))
      if (writes.length === 0) {
        this.#queues.delete(plane)
        continue
      }
      free -= writes.length
      for (const write of writes) size += write.size
      batches.push({ plane, writes })
    }
    this.#ready = this.#ready.slice(taken)
    return batches
  }

  #rejectLate(queue: QueuedWrite[]): void {
    const late = performance.now() - this.#options.timeoutMs
    while ((queue[0]?.arrival ?? Infinity) < late) queue.shift()?.reject(tooLate())
  }
}

function tooLate(): FlotillaError {
  return new FlotillaError('unavailable', 'Earlier writes of this plane have not finished in time')
}
