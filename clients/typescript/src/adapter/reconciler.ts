import { NotFound, Invalid } from '../errors/status-errors.ts'
import type { AnyResource } from '../resources/any-resource.ts'
import type { Statuses } from '../resources/statuses.ts'
import type { AdapterEvent, Reconcile } from './adapter-options.ts'
import type { AdapterResult } from './adapter-result.ts'
import { reportOf } from './report-of.ts'
import { resultOfFailure, retryDelay } from './result-of-failure.ts'

/** Everything that a reconciliation needs. */
export interface ReconcilerParts<T> {
  readonly adapter: string
  readonly read: (id: string) => Promise<T>
  readonly statuses: Pick<Statuses, 'report'>
  readonly reconcile: Reconcile<T>
  readonly finalize: Reconcile<T>
  readonly heartbeat: number
  readonly emit: (event: AdapterEvent<T>) => void
  readonly signal: AbortSignal
  /** The time by the server's clock. */
  readonly now: () => Date
}

/** Reconciles single resources and reports the results. */
export class Reconciler<T extends AnyResource> {
  readonly #parts: ReconcilerParts<T>
  /** The last reported generation by ID. */
  readonly #reported = new Map<string, number>()
  /** The generation of the call in progress by ID. */
  readonly #inProgress = new Map<string, number>()
  /** Failures in a row by ID. */
  readonly #failures = new Map<string, number>()

  constructor(parts: ReconcilerParts<T>) {
    this.#parts = parts
  }

  /**
   * Whether a generation has been reported, or the call in progress will report it: a watch can
   * send the change of a report before the response to the report arrives.
   */
  hasReported({ id, generation }: AnyResource): boolean {
    return Math.max(this.#reported.get(id) ?? 0, this.#inProgress.get(id) ?? 0) >= generation
  }

  /** Records a generation that an earlier run of the adapter has reported. */
  skip({ id, generation }: AnyResource): void {
    this.#reported.set(id, generation)
  }

  forget(id: string): void {
    this.#reported.delete(id)
    this.#failures.delete(id)
  }

  /**
   * Reconciles a resource and reports the result. Returns the milliseconds until its next
   * reconciliation, or null if the resource no longer exists. Never rejects.
   */
  async run(id: string): Promise<number | null> {
    try {
      const resource = await this.#parts.read(id)
      this.#inProgress.set(id, resource.generation)
      return await this.#reconcileAndReport(resource)
    } catch (error) {
      if (error instanceof NotFound) {
        this.forget(id)
        return null
      }
      if (this.#parts.signal.aborted) return null
      const delay = this.#fail(id, error)
      return error instanceof Invalid ? this.#parts.heartbeat : delay
    } finally {
      this.#inProgress.delete(id)
    }
  }

  async #reconcileAndReport(resource: T): Promise<number> {
    const { reconcile, finalize, signal, heartbeat } = this.#parts
    const isFinalizing = resource.deleted_time !== undefined
    const failure: { error: unknown } = { error: null }
    const result = await this.#attempt(resource, isFinalizing ? finalize : reconcile).catch(
      (error: unknown) => {
        failure.error = error
        return resultOfFailure(error)
      },
    )
    signal.throwIfAborted()
    await this.#report(resource, result, isFinalizing)
    // A NotFound of the work is about something else than the resource: it is repeated as well.
    if (failure.error !== null) return this.#fail(resource.id, failure.error)
    this.#failures.delete(resource.id)
    return result.again ?? heartbeat
  }

  /** Turns an exception that the work throws synchronously into a rejection. */
  async #attempt(resource: T, work: Reconcile<T>): Promise<AdapterResult> {
    return await work(resource, { signal: this.#parts.signal })
  }

  async #report(resource: T, result: AdapterResult, isFinalizing: boolean): Promise<void> {
    const { adapter, statuses, emit, signal, now } = this.#parts
    const { id, generation } = resource
    const source = { adapter, generation, observedTime: now(), isFinalizing }
    const { discarded } = await statuses.report(id, reportOf(result, source), { signal })
    this.#reported.set(id, generation)
    emit({ type: 'reported', resource, result, discarded })
  }

  /** Emits a failure. Returns the milliseconds until the next attempt. */
  #fail(id: string, error: unknown): number {
    this.#parts.emit({ type: 'failed', id, error })
    const failures = (this.#failures.get(id) ?? 0) + 1
    this.#failures.set(id, failures)
    return retryDelay(failures, error)
  }
}
