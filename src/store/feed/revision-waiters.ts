/** Callers that wait for a revision. */
export interface RevisionWaiters {
  /** Resolves with true when the revision is reached, or with false after the timeout. */
  wait(revision: bigint, timeoutMs: number): Promise<boolean>
  /** Resolves the waiters of all revisions up to this one. */
  advanceTo(revision: bigint): void
}

interface Waiter {
  readonly revision: bigint
  readonly resolve: () => void
}

export function createRevisionWaiters(): RevisionWaiters {
  const waiters = new Set<Waiter>()
  return {
    wait: (revision, timeoutMs) =>
      new Promise((resolve) => {
        const waiter = {
          revision,
          resolve: () => {
            clearTimeout(timer)
            resolve(true)
          },
        }
        const timer = setTimeout(() => {
          waiters.delete(waiter)
          resolve(false)
        }, timeoutMs)
        waiters.add(waiter)
      }),
    advanceTo: (revision) => {
      for (const waiter of waiters) {
        if (waiter.revision > revision) continue
        waiters.delete(waiter)
        waiter.resolve()
      }
    },
  }
}
