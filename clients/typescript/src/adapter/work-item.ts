import type { AdapterWorkItem, Resource } from '../generated/hyperfleet.ts'
import { linkedAbort } from '../http/linked-abort.ts'
import { Conflict, NotFound } from '../errors/status-errors.ts'
import type { AdapterResult } from './adapter-result.ts'
import type { Reconcile } from './adapter-options.ts'
import { reportOf } from './report-of.ts'
import type { WorkerOptions } from './worker-options.ts'
import type { WorkLeases } from './work-leases.ts'

/** The longest time until a report is repeated. */
const MAX_AGAIN_SECONDS = 604_800

/** Seconds until work is repeated after a failure or, if it is null, a discarded report. */
export type DelayAfter = (attempt: number, failure: unknown) => number

interface Parts extends Pick<WorkerOptions, 'client' | 'name' | 'reconcile' | 'onEvent'> {
  readonly finalize: Reconcile<Resource>
  readonly leases: WorkLeases
  readonly leaseSeconds: number
  readonly delayAfter: DelayAfter
  readonly signal: AbortSignal
}

/** Reconciles one leased resource and reports the result. Never rejects. */
export async function workItem(item: AdapterWorkItem, parts: Parts): Promise<void> {
  const { resource, lease } = item
  const link = linkedAbort(parts.signal)
  const timer = renewUntilLost(item, parts, link.abort)
  try {
    await reconcileAndReport(item, parts, link.signal)
  } catch (error) {
    if (parts.signal.aborted) {
      await parts.leases.giveBack(lease.token, null).catch(() => undefined)
      return
    }
    parts.onEvent?.({ type: 'failed', id: resource.id, error })
    // Another worker has the resource, or it is removed.
    if (error instanceof Conflict || error instanceof NotFound) return
    const delay = parts.delayAfter(item.attempt, error)
    await parts.leases.giveBack(lease.token, delay).catch(() => undefined)
  } finally {
    clearInterval(timer)
    link.close()
  }
}

async function reconcileAndReport(
  item: AdapterWorkItem,
  { client, name, reconcile, finalize, leases, onEvent, delayAfter }: Parts,
  signal: AbortSignal,
): Promise<void> {
  const { resource, lease } = item
  const isFinalizing = resource.deleted_time !== undefined
  const result: AdapterResult = await (isFinalizing ? finalize : reconcile)(resource, { signal })
  signal.throwIfAborted()
  const { generation } = resource
  const source = { adapter: name, generation, observedTime: client.serverTime(), isFinalizing }
  const againSeconds = result.again === undefined ? null : secondsOf(result.again)
  const report = reportOf(result, source)
  const discarded = await leases.report(item, report, { againSeconds, signal })
  onEvent?.({ type: 'reported', resource, result, discarded })
  // A discarded report does not complete the lease.
  if (discarded === null) return
  const delay = delayAfter(item.attempt, null)
  await leases.giveBack(lease.token, Math.min(againSeconds ?? delay, delay))
}

/** Whole seconds in the range of the server. */
function secondsOf(ms: number): number {
  return Math.min(MAX_AGAIN_SECONDS, Math.max(1, Math.round(ms / 1000)))
}

/** Renews the lease during the work. Aborts the work if the lease is lost. */
function renewUntilLost(
  { lease }: AdapterWorkItem,
  { leases, leaseSeconds, signal }: Parts,
  abort: (reason: unknown) => void,
): ReturnType<typeof setInterval> {
  const renew = (): void => {
    leases.renew(lease.token, signal).catch((error: unknown) => {
      if (error instanceof Conflict) abort(error)
    })
  }
  return setInterval(renew, (leaseSeconds * 1000) / 3)
}
