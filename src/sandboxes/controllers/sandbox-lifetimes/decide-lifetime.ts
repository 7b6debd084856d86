import type { Sandbox } from '../../model/sandbox.ts'

/** The observed times of a sandbox. */
export interface ObservedTimes {
  /** Since when the workload is ready; null if it is not. */
  readonly readySince: Date | null
  /** Since when the sandbox is suspended; null if it is not. */
  readonly suspendedSince: Date | null
  /** Null if the sandbox was never used. */
  readonly lastActivity: Date | null
}

/** The action that is due at a time. */
export type LifetimeAction = 'DeleteExpired' | 'DeleteSuspended' | 'SuspendIdle'

/** The action that is due, or the time of the next decision. Null: only a change causes one. */
export type LifetimeDecision =
  | { readonly action: LifetimeAction }
  | { readonly action: null; readonly checkAt: Date | null }

type Deadline = readonly [action: LifetimeAction, time: Date]
type Limits = Pick<
  Sandbox,
  'autoSuspend' | 'isDeleting' | 'operatingMode' | 'shutdownPolicy' | 'shutdownTime'
>

/** Decides what the clock demands of a sandbox. Deletions have precedence. */
export function decideLifetime(sandbox: Limits, times: ObservedTimes, now: Date): LifetimeDecision {
  if (sandbox.isDeleting) return { action: null, checkAt: null }
  const deadlines = deadlinesOf(sandbox, times)
  const due = deadlines.find(([, time]) => time <= now)
  if (due) return { action: due[0] }
  const [next] = deadlines.map(([, time]) => time).toSorted((a, b) => a.getTime() - b.getTime())
  return { action: null, checkAt: next ?? null }
}

function deadlinesOf(sandbox: Limits, times: ObservedTimes): readonly Deadline[] {
  const { shutdownTime, shutdownPolicy, autoSuspend, operatingMode } = sandbox
  const { idleSeconds, suspendedTtlSeconds } = autoSuspend
  const { readySince, suspendedSince, lastActivity } = times
  const isRunning = operatingMode === 'Running' && readySince !== null
  const isSuspended = operatingMode === 'Suspended' && suspendedSince !== null
  // An expired sandbox that is retained no longer runs, whatever its operating mode.
  const expires = shutdownTime !== null && shutdownPolicy === 'Delete'
  return [
    ...(expires ? [['DeleteExpired', shutdownTime] as const] : []),
    ...(isSuspended && suspendedTtlSeconds !== null
      ? [['DeleteSuspended', after(suspendedSince, suspendedTtlSeconds)] as const]
      : []),
    ...(isRunning && idleSeconds !== null
      ? [['SuspendIdle', after(latest(readySince, lastActivity), idleSeconds)] as const]
      : []),
  ]
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

function latest(time: Date, other: Date | null): Date {
  return other !== null && other > time ? other : time
}
