import type { SandboxClaim } from './sandbox-claim.ts'

type Limits = Pick<SandboxClaim, 'finishedSince' | 'shutdownTime' | 'ttlSecondsAfterFinished'>

/** When a claim expires: at its shutdown time, or after its workload has ended; null for never. */
export function claimExpiry(claim: Limits): Date | null {
  const { shutdownTime, ttlSecondsAfterFinished, finishedSince } = claim
  const afterFinish =
    ttlSecondsAfterFinished === null || finishedSince === null
      ? null
      : new Date(finishedSince.getTime() + ttlSecondsAfterFinished * 1000)
  if (shutdownTime === null || afterFinish === null) return shutdownTime ?? afterFinish
  return shutdownTime < afterFinish ? shutdownTime : afterFinish
}
