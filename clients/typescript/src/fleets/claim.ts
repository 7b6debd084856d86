import { ApiError } from '../errors/api-error.ts'
import { Conflict, NotFound } from '../errors/status-errors.ts'
import type { FleetClaim, FleetReleaseRequest } from '../generated/kplane.ts'
import { isTransient } from '../http/is-transient.ts'
import { createApiError } from '../errors/create-api-error.ts'
import type { CallOptions } from '../http/request.ts'
import type { Plane } from '../planes/plane.ts'
import type { FleetParts } from './fleet-parts.ts'
import { fleetPath } from './fleet-path.ts'

/** The treatment of a member when its claim ends. */
export type ReleasePolicy = NonNullable<FleetReleaseRequest['then']>

interface ClaimTerms {
  readonly ttlSeconds: number
  /** When the request was sent, in milliseconds of `performance.now`. */
  readonly sentAt: number
  readonly policy: ReleasePolicy
}

const RENEWALS_PER_LEASE = 3
/** Timers that are longer end immediately. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * A claimed member of a fleet. Its lease is renewed in the background until it is released. With
 * `await using`, it is released at the end of the block.
 */
export class Claim implements AsyncDisposable {
  /** The name of the member. */
  readonly clusterID: string
  /** The ID of the member's cluster. */
  readonly uid: string
  readonly claimID: string
  readonly holder: string
  /** Whether the holder before has released the member with Keep: its content is still there. */
  readonly kept: boolean
  /** The handle of the member's plane. */
  readonly plane: Plane
  readonly #parts: FleetParts
  readonly #terms: ClaimTerms
  readonly #fleet: string
  readonly #lost = new AbortController()
  readonly #renewals: ReturnType<typeof setInterval>
  #end: ReturnType<typeof setTimeout> | undefined
  #expiresTime: string | null
  #isRenewing = false
  #isReleasing = false
  #isReleased = false

  constructor(parts: FleetParts, claim: FleetClaim, terms: ClaimTerms) {
    this.clusterID = claim.clusterID
    this.uid = claim.uid
    this.claimID = claim.claimID
    this.holder = claim.holder
    this.kept = claim.kept ?? false
    this.plane = parts.plane(claim.uid)
    this.#parts = parts
    this.#terms = terms
    this.#fleet = claim.fleet
    this.#expiresTime = claim.expiresTime ?? null
    const ms = Math.min(MAX_TIMER_MS, (terms.ttlSeconds * 1000) / RENEWALS_PER_LEASE)
    this.#renewals = setInterval(() => void this.#renewInBackground(ms), ms)
    unreference(this.#renewals)
    this.#endAfter(terms.sentAt)
  }

  /** When the lease ends if it is not renewed, by the server's clock. */
  get expiresTime(): string | null {
    return this.#expiresTime
  }

  /** Aborts when the lease is lost: another client may hold the member from then on. */
  get signal(): AbortSignal {
    return this.#lost.signal
  }

  /** Extends the lease. This also happens in the background. */
  async renew(options: CallOptions = {}): Promise<void> {
    const { clusterID, claimID } = this
    const body = { clusterID, claimID, ttlSeconds: this.#terms.ttlSeconds }
    const sentAt = performance.now()
    const claim = await this.#post<FleetClaim>('renew', body, options)
    this.#expiresTime = claim.expiresTime ?? null
    this.#endAfter(sentAt)
  }

  /**
   * Ends the claim: Recycle returns the member to its template, Delete replaces it, Keep leaves it
   * as it is. Releasing again, or after the lease was lost, does nothing.
   */
  async release(policy?: ReleasePolicy, options: CallOptions = {}): Promise<void> {
    if (this.#isReleased) return
    this.#isReleasing = true
    this.#stop()
    const { clusterID, claimID } = this
    // oxlint-disable-next-line unicorn/no-thenable -- the name of the field in the API
    const body: FleetReleaseRequest = { clusterID, claimID, then: policy ?? this.#terms.policy }
    try {
      await this.#post('release', body, options)
    } catch (error) {
      if (!isEnded(error)) throw error
    }
    this.#isReleased = true
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release()
  }

  async #renewInBackground(ms: number): Promise<void> {
    if (this.#isRenewing) return
    this.#isRenewing = true
    try {
      await this.renew({ timeout: ms })
    } catch (error) {
      // A server that cannot be reached may be back before the lease ends.
      if (!isTransient(error)) this.#lose(error)
    } finally {
      this.#isRenewing = false
    }
  }

  /** Loses the lease at its end, which the server counts from a later moment than the request. */
  #endAfter(sentAt: number): void {
    clearTimeout(this.#end)
    const ms = this.#terms.ttlSeconds * 1000 - (performance.now() - sentAt)
    if (this.#isReleasing || ms > MAX_TIMER_MS) return
    this.#end = setTimeout(() => this.#lose(leaseEnded(this)), ms)
    unreference(this.#end)
  }

  #lose(error: unknown): void {
    if (this.#isReleasing) return
    this.#stop()
    this.#lost.abort(error)
  }

  #stop(): void {
    clearInterval(this.#renewals)
    clearTimeout(this.#end)
  }

  async #post<T>(verb: 'renew' | 'release', body: unknown, options: CallOptions): Promise<T> {
    const path = fleetPath(this.#fleet, verb)
    const request = { method: 'POST', path, body, retry: 'always', ...options } as const
    return (await this.#parts.transport.request<T>(request)).body
  }
}

function leaseEnded({ clusterID }: Claim): ApiError {
  return createApiError({
    status: 0,
    code: 'LeaseEnded',
    message: `the lease of ${clusterID} ended before the server confirmed a renewal`,
    requestId: null,
    errors: [],
    retryAfter: null,
  })
}

/** Whether the claim ended before: its lease expired, or its member or fleet was removed. */
function isEnded(error: unknown): boolean {
  const isGone = error instanceof ApiError && error.status === 410
  return isGone || error instanceof NotFound || error instanceof Conflict
}

/** In Node, the timer must not keep the process alive. */
function unreference(timer: unknown): void {
  if (typeof timer !== 'object' || timer === null || !('unref' in timer)) return
  if (typeof timer.unref === 'function') timer.unref()
}
