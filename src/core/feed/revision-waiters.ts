/** Those who wait for a revision. */
export interface RevisionWaiters {
  /** Resolves when the revision is passed; false where it is not in time. */
  wait(revision: bigint, timeoutMs: number): Promise<boolean>
  /** All revisions up to this one are passed. */
  passed(revision: bigint): void
}

interface Waiter {
  readonly revision: bigint
  readonly resolve: () => void
}

/** Nobody waits yet. */
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
    passed: (revision) => {
      for (const waiter of waiters) {
        if (waiter.revision > revision) continue
        waiters.delete(waiter)
        waiter.resolve()
      }
    },
  }
}
