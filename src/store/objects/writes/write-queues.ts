import { FlotillaError } from '../../../lib/errors.ts'
import { runTogether } from '../../../lib/tracing/request-context.ts'
import { batchSize, MAX_LENGTH, MAX_WRITES } from './batch-writes.ts'
import type { QueuedWrite } from './queued-write.ts'

/**
 * The most statements with writes of several planes at the same time. Writes that arrive meanwhile
 * share the next statement, as creates and reports of resources do. Waits for locked planes do not
 * count.
 */
const CONCURRENCY = 1

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
  #running = 0
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
    if (this.#isScheduled || this.#running >= CONCURRENCY) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#start()
    })
  }

  #start(): void {
    while (this.#running < CONCURRENCY && this.#ready.length > 0) {
      const batches = this.#take()
      if (batches.length > 0) void this.#run(batches)
    }
  }

  async #run(batches: readonly PlaneBatch[]): Promise<void> {
    this.#running += 1
    const contexts = batches.flatMap(({ writes }) => writes.map(({ context }) => context))
    await runTogether('write_objects', contexts, () =>
      this.#options.run(batches, ({ plane }) => this.#release(plane)),
    )
    this.#running -= 1
    this.#start()
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
