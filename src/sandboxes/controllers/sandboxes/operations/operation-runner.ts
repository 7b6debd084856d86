import type { OperationKind, SandboxOperation } from '../../../storage/sandbox-operation.ts'
import type { SandboxState } from '../../../storage/sandbox-state.ts'
import type { ObservedSandbox } from '../model/observed-sandbox.ts'
import type { OperationParts } from './operation-parts.ts'
import { OperationPool } from './operation-pool.ts'
import type { OnStep } from './run-operation.ts'
import { runOperation } from './run-operation.ts'

const LIMITS = { total: 64, perKey: 16 }
export const LEASE_SECONDS = 15
const RENEW_MS = 5000

interface Task {
  readonly operation: SandboxOperation
  readonly state: SandboxState
  readonly sandbox: ObservedSandbox | null
}

interface Running {
  readonly operation: SandboxOperation
  readonly cancel: AbortController
  readonly lost: AbortController
  readonly done: Promise<void>
}

interface Options {
  readonly parts: OperationParts
  /** Unique to this process. */
  readonly holder: string
  /** A step is recorded. */
  readonly onStep: OnStep
  /** An operation has ended or waits: its sandbox must be reconciled. */
  readonly onEnd: (operation: SandboxOperation) => void
}

/** Runs operations apart from the reconciliations, so that a slow driver delays no other sandbox. */
export interface OperationRunner extends AsyncDisposable {
  readonly running: number
  isRunning(uid: string): boolean
  /** The kind of the running operation of a sandbox, or null. */
  kindOf(uid: string): OperationKind | null
  /** The operation must belong to the holder. */
  start(task: Task): void
  /** Undoes the running operation of a sandbox, unless its commit point has passed. */
  cancel(uid: string): void
}

export function startOperationRunner({ parts, holder, onStep, onEnd }: Options): OperationRunner {
  const { records, timers, onError } = parts
  const running = new Map<string, Running>()
  const pool = new OperationPool(LIMITS)
  const stopped = new AbortController()

  async function renew(): Promise<void> {
    const tasks = [...running.values()]
    if (tasks.length === 0) return
    const lease = { holder, leaseSeconds: LEASE_SECONDS, now: timers.clock() }
    const held = await records.renewOperations(idsOf(tasks), lease)
    for (const { operation, lost } of tasks) if (!held.has(operation.id)) lost.abort()
  }

  let timer = timers.schedule(RENEW_MS, tick)
  function tick(): void {
    void renew()
      .catch(onError)
      .then(() => {
        if (!stopped.signal.aborted) timer = timers.schedule(RENEW_MS, tick)
      })
  }

  function start(task: Task): void {
    const { uid, runtime } = task.state
    if (running.has(uid) || stopped.signal.aborted) return
    const cancel = new AbortController()
    const lost = new AbortController()
    const stop = AbortSignal.any([lost.signal, stopped.signal])
    const work = async (): Promise<void> => {
      try {
        await runOperation({ parts, ...task }, { cancel: cancel.signal, stop }, onStep)
      } catch (error) {
        if (!stop.aborted) onError(error)
      } finally {
        running.delete(uid)
        if (!stopped.signal.aborted) onEnd(task.operation)
      }
    }
    const done = new Promise<void>((resolve) => {
      pool.run(runtime ?? '', () => work().finally(resolve))
    })
    running.set(uid, { operation: task.operation, cancel, lost, done })
  }

  return {
    get running() {
      return running.size
    },
    isRunning: (uid) => running.has(uid),
    kindOf: (uid) => running.get(uid)?.operation.kind ?? null,
    start,
    cancel: (uid) => running.get(uid)?.cancel.abort(),
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      timer[Symbol.dispose]()
      await Promise.all([...running.values()].map(({ done }) => done))
    },
  }
}

function idsOf(tasks: readonly Running[]): readonly string[] {
  return tasks.map(({ operation }) => operation.id)
}
