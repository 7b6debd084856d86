import type { ApiObject } from '../../model/api-object.ts'
import { KubeError } from '../../errors/kube-error.ts'
import type { WriteFence } from '../../../store/objects/model/write-fence.ts'
import { must } from '../../../lib/assert.ts'
import type { PlaneClient, ResourceName } from '../client/plane-client.ts'
import {
  candidateOf,
  type CandidateSession,
  type CandidateSessions,
  hasHolderEnded,
  holderOf,
} from './candidate-sessions.ts'
import {
  claimed,
  type LeaseName,
  type LeaseTerm,
  newLease,
  recordOf,
  released,
  renewed,
} from './leader-lease.ts'
import { type Timers, wait } from './timers.ts'

/**
 * The durations of client-go's defaults, except that a leader renews less often: each renewal is a
 * write that all watches of the root plane see.
 */
export const LEASE_DURATIONS: LeaseDurations = {
  leaseMs: 15_000,
  renewDeadlineMs: 10_000,
  renewMs: 5000,
  retryMs: 2000,
}

/** A lease must outlast the renew deadline, and the deadline a renewal with several retries. */
export interface LeaseDurations {
  /** How long other candidates wait after the last renewal that they saw. */
  readonly leaseMs: number
  /** A leader that could not renew for this long stops. */
  readonly renewDeadlineMs: number
  /** Between two renewals that succeed. */
  readonly renewMs: number
  /** After a failed renewal, and between two looks of a candidate. */
  readonly retryMs: number
}

interface Options {
  /** The plane of the lease. */
  readonly client: PlaneClient
  readonly lease: LeaseName
  /** Unique to this process. */
  readonly identity: string
  /** Candidates do not wait for the lease of a holder whose session has ended. */
  readonly sessions?: CandidateSessions
  readonly durations?: LeaseDurations
  readonly timers: Timers
  readonly random: () => number
  /**
   * Works as the leader until the signal is aborted, and may then reject with its reason. Every
   * write carries the fence. May end early, after which the leader releases the lease and becomes a
   * candidate again.
   */
  readonly lead: (fence: WriteFence, signal: AbortSignal) => Promise<void>
  readonly onError: (error: unknown) => void
}

const LEASES: ResourceName = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }

/** The last observed state of the lease. */
interface Observation {
  readonly version: string
  /** When this process first saw the version; clocks of other machines are never compared. */
  readonly since: number
}

/** Competes for a lease until it is disposed. Disposing it ends the work and releases the lease. */
export function startLeaderElection(options: Options): AsyncDisposable {
  const stopped = new AbortController()
  const ended = compete(options, stopped.signal)
  return {
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await ended
    },
  }
}

async function compete(options: Options, signal: AbortSignal): Promise<void> {
  const { timers, random, onError, durations = LEASE_DURATIONS } = options
  let seen: Observation | null = null
  while (!signal.aborted) {
    try {
      const attempt = await tryClaim(options, seen)
      seen = attempt.seen
      if (attempt.term !== null) await leadWith(options, attempt.term, signal)
    } catch (error) {
      if (!signal.aborted) onError(error)
    }
    await wait(timers, durations.retryMs * (1 + random() * 0.2), signal)
  }
}

interface Term {
  readonly lease: ApiObject
  /** The term ends with it. Null until this process has one. */
  readonly session: CandidateSession | null
}

interface Attempt {
  readonly seen: Observation
  /** Null if another process holds the lease. */
  readonly term: Term | null
}

async function tryClaim(options: Options, seen: Observation | null): Promise<Attempt> {
  const { client, identity, timers, sessions } = options
  const lease = await readLease(options)
  if (lease === null) {
    return claim(options, (next) => client.create(LEASES, newLease(options.lease, next)))
  }
  const { holder, durationMs, version } = recordOf(lease)
  const now = timers.now()
  const current = seen?.version === version ? seen : { version, since: now }
  const isFree =
    holder === '' || candidateOf(holder) === identity || now >= current.since + durationMs
  if (!isFree && !(await hasHolderEnded(holder, sessions))) return { seen: current, term: null }
  // The lease's resourceVersion makes this fail if another candidate was faster.
  return claim(options, (next) => client.update(LEASES, claimed(lease, next)))
}

async function claim(
  options: Options,
  write: (next: LeaseTerm) => Promise<ApiObject>,
): Promise<Attempt> {
  const { identity, sessions, timers } = options
  const session = (await sessions?.current()) ?? null
  const since = timers.now()
  try {
    const lease = await write(termOf(options, holderOf(identity, session)))
    return { seen: { version: recordOf(lease).version, since }, term: { lease, session } }
  } catch (error) {
    if (!isLostRace(error)) throw error
    return { seen: { version: '', since }, term: null }
  }
}

async function leadWith(options: Options, first: Term, signal: AbortSignal): Promise<void> {
  const { lead, timers, durations = LEASE_DURATIONS } = options
  const { ended, endBy, stop } = endOfTerm()
  endBy(signal)
  if (first.session !== null) endBy(first.session.ended)
  if (ended.aborted) {
    stop()
    return release(options, first.lease)
  }
  const work = lead(fenceOf(first.lease), ended).finally(stop)
  // The rejection is handled by the await below, after the last renewal.
  work.catch(() => undefined)
  let term = first
  let renewedAt = timers.now()
  let pauseMs = durations.renewMs
  while (!ended.aborted) {
    await wait(timers, pauseMs, ended)
    if (ended.aborted) break
    const startedAt = timers.now()
    const next = await renew(options, term, renewedAt + durations.renewDeadlineMs)
    if (next === 'lost') break
    pauseMs = next === 'retry' ? durations.retryMs : durations.renewMs
    if (next !== 'retry') {
      if (term.session === null && next.session !== null) endBy(next.session.ended)
      term = next
      renewedAt = startedAt
    } else if (timers.now() >= renewedAt + durations.renewDeadlineMs) break
  }
  stop()
  try {
    await work
  } catch (error) {
    // The end of the term interrupts work that waits.
    if (error !== ended.reason) throw error
  } finally {
    await release(options, term.lease)
  }
}

/** A term ends by itself or with the first of some signals. */
function endOfTerm() {
  const term = new AbortController()
  const endings: AbortSignal[] = []
  const stop = (): void => {
    for (const ending of endings) ending.removeEventListener('abort', stop)
    term.abort()
  }
  const endBy = (ending: AbortSignal): void => {
    endings.push(ending)
    if (ending.aborted) stop()
    else ending.addEventListener('abort', stop)
  }
  return { ended: term.signal, endBy, stop }
}

/** `lost` if another process holds the lease, `retry` after a failure or at the deadline. */
async function renew(
  options: Options,
  term: Term,
  deadline: number,
): Promise<Term | 'lost' | 'retry'> {
  const { client, identity, sessions, timers, onError } = options
  const timer = new AbortController()
  const timeout = wait(timers, Math.max(0, deadline - timers.now()), timer.signal)
  const attempt = async (): Promise<Term | 'lost' | 'retry'> => {
    // A session that opened after the claim is named now.
    const session = term.session ?? (await sessions?.current()) ?? null
    const next = renewed(term.lease, termOf(options, holderOf(identity, session)))
    try {
      return { lease: await client.update(LEASES, next), session }
    } catch (error) {
      if (!isLostRace(error)) throw error
      // The response of an earlier renewal may have been lost: the lease itself decides.
      const lease = await readLease(options)
      return lease !== null && isSameTerm(lease, term.lease) ? { ...term, lease } : 'lost'
    }
  }
  try {
    return await Promise.race([attempt(), timeout.then(() => 'retry' as const)])
  } catch (error) {
    onError(error)
    return 'retry'
  } finally {
    timer.abort()
  }
}

async function release(options: Options, lease: ApiObject): Promise<void> {
  const { client, timers, onError } = options
  try {
    const current = await readLease(options)
    if (current === null || !isSameTerm(current, lease)) return
    await client.update(LEASES, released(current, timers.clock()))
  } catch (error) {
    // Other candidates wait until the lease ends.
    if (!isLostRace(error)) onError(error)
  }
}

async function readLease({ client, lease }: Options): Promise<ApiObject | null> {
  try {
    return await client.get(LEASES, lease)
  } catch (error) {
    if (error instanceof KubeError && error.code === 404) return null
    throw error
  }
}

function isSameTerm(left: ApiObject, right: ApiObject): boolean {
  const [first, second] = [recordOf(left), recordOf(right)]
  const isSameLease = left.metadata.uid === right.metadata.uid
  const isSameHolder = candidateOf(first.holder) === candidateOf(second.holder)
  return isSameLease && isSameHolder && first.transitions === second.transitions
}

/** Another process has created, changed or deleted the lease. */
function isLostRace(error: unknown): boolean {
  return error instanceof KubeError && (error.code === 409 || error.code === 404)
}

function fenceOf(lease: ApiObject): WriteFence {
  const { namespace = '', name, uid } = lease.metadata
  return {
    namespace,
    name: must(name, 'the name of the lease'),
    uid: must(uid, 'the uid of the lease'),
    number: recordOf(lease).transitions,
  }
}

function termOf({ timers, durations = LEASE_DURATIONS }: Options, holder: string): LeaseTerm {
  return { identity: holder, durationMs: durations.leaseMs, now: timers.clock() }
}
