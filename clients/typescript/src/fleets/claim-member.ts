import { Conflict } from '../errors/status-errors.ts'
import type { FleetClaim, FleetClaimRequest } from '../generated/kplane.ts'
import { backoff } from '../http/backoff.ts'
import { randomKey } from '../http/random-key.ts'
import { sleep } from '../http/sleep.ts'
import { Claim, type ReleasePolicy } from './claim.ts'
import type { FleetParts } from './fleet-parts.ts'
import { fleetPath } from './fleet-path.ts'

/** Options of claims. */
export interface ClaimOptions {
  /** The name of the holder, for people. The default is random. */
  readonly holder?: string | undefined
  /** Seconds until the lease ends without a renewal. The default is 60. */
  readonly ttlSeconds?: number | undefined
  /** Selects members by the labels of their clusters. */
  readonly labelSelector?: string | undefined
  /** The name of the only member that will do. */
  readonly clusterID?: string | undefined
  /** Creates one more member if none can be claimed. */
  readonly createOnEmpty?: boolean | undefined
  /** Milliseconds to wait for a member if none can be claimed. The default is 0. */
  readonly wait?: number | undefined
  /** The treatment of the member when the claim ends. The default is Recycle. */
  readonly onRelease?: ReleasePolicy | undefined
  /** Aborts the call, not the claim. */
  readonly signal?: AbortSignal | undefined
}

const TTL_SECONDS = 60

/** Claims a ready and unclaimed member of a fleet, and waits for one if the caller asked for it. */
export async function claimMember(
  parts: FleetParts,
  fleet: string,
  { wait = 0, onRelease = 'Recycle', signal, ...options }: ClaimOptions,
): Promise<Claim> {
  const { holder = `sdk-${randomKey().slice(0, 12)}`, ttlSeconds = TTL_SECONDS } = options
  const body = { ...options, holder, ttlSeconds }
  const end = Date.now() + wait
  for (let failures = 1; ; failures += 1) {
    try {
      const sentAt = performance.now()
      const claim = await postClaim(parts, fleet, { body, signal })
      return new Claim(parts, claim, { ttlSeconds, sentAt, policy: onRelease })
    } catch (error) {
      if (!(error instanceof Conflict) || error.retryAfter === null || Date.now() >= end)
        throw error
      const ms = backoff({ failures, retryAfter: null, random: Math.random() })
      await sleep(Math.min(ms, error.retryAfter + ms / 2, end - Date.now() + 1), signal)
    }
  }
}

interface Posting {
  readonly body: FleetClaimRequest
  readonly signal: AbortSignal | undefined
}

/** A claim whose response is lost ends with its lease, so the request can be repeated. */
async function postClaim(
  { transport }: FleetParts,
  fleet: string,
  { body, signal }: Posting,
): Promise<FleetClaim> {
  const path = fleetPath(fleet, 'claim')
  const request = { method: 'POST', path, body, signal, retry: 'always' } as const
  return (await transport.request<FleetClaim>(request)).body
}
