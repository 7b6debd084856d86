/** Attempts after which is judged. */
const ENOUGH = 64
/** Above this share of failures the attempts cost more than they save, as measured. */
const MAX_FAILED = 0.1
const REST_MS = 10_000

/** Whether something that may fail is worth an attempt. */
export interface Trust {
  isGiven(): boolean
  note(attempts: number, failures: number): void
}

/** Gives up for ten seconds where more than one attempt in ten has failed. */
export function createTrust(now: () => number = () => performance.now()): Trust {
  let attempted = 0
  let failed = 0
  let restsUntil = 0
  return {
    isGiven: () => now() >= restsUntil,
    note: (attempts, failures) => {
      attempted += attempts
      failed += failures
      if (attempted < ENOUGH) return
      if (failed > MAX_FAILED * attempted) restsUntil = now() + REST_MS
      attempted = 0
      failed = 0
    },
  }
}
