import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'

/** Runs one changing call per sandbox at a time. */
export interface SandboxOwners {
  /**
   * Waits for earlier calls of the sandbox, then performs the effect. A call with a higher fence
   * aborts the signal of the running one, whose caller has lost the sandbox. Without a fence, only
   * waits.
   */
  run<T>(owner: Owner, effect: (signal: AbortSignal) => Promise<T>): Promise<T>
  /** Whether no call of the sandbox has run since `time`, a value of `performance.now()`. */
  isIdleSince(uid: string, time: number): boolean
  /** Waits until the calls of the sandbox that have begun have ended. */
  idle(uid: string): Promise<void>
}

export interface Owner {
  readonly uid: string
  readonly fence: bigint | null
  /** The signal of the caller. */
  readonly signal: AbortSignal
}

interface Running {
  readonly fence: bigint | null
  readonly controller: AbortController
}

export function createSandboxOwners(): SandboxOwners {
  const tails = new Map<string, Promise<unknown>>()
  const running = new Map<string, Running>()
  const ended = new Map<string, number>()

  function preempt({ uid, fence }: Owner): void {
    const current = running.get(uid)
    if (fence === null || current === undefined || current.fence === null) return
    if (fence > current.fence) current.controller.abort(lostSandbox(uid, fence))
  }

  async function perform<T>(owner: Owner, effect: (signal: AbortSignal) => Promise<T>): Promise<T> {
    owner.signal.throwIfAborted()
    const controller = new AbortController()
    running.set(owner.uid, { fence: owner.fence, controller })
    try {
      return await effect(AbortSignal.any([owner.signal, controller.signal]))
    } finally {
      running.delete(owner.uid)
      ended.set(owner.uid, performance.now())
    }
  }

  return {
    isIdleSince: (uid, time) => !running.has(uid) && (ended.get(uid) ?? 0) <= time,
    idle: async (uid) => {
      await tails.get(uid)
    },
    run: async (owner, effect) => {
      preempt(owner)
      const before = tails.get(owner.uid) ?? Promise.resolve()
      const result = before.then(() => perform(owner, effect))
      // A failed call does not stop later ones; only its own caller receives the error.
      const tail = result.catch(() => undefined)
      tails.set(owner.uid, tail)
      try {
        return await result
      } finally {
        if (tails.get(owner.uid) === tail) tails.delete(owner.uid)
      }
    },
  }
}

function lostSandbox(uid: string, fence: bigint): SandboxDriverError {
  const message = `a caller with fence ${fence} has taken over sandbox ${uid}`
  return new SandboxDriverError('FAILED_PRECONDITION', message, { reason: 'StaleFence' })
}
