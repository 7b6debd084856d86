import { setTimeout as sleep } from 'node:timers/promises'
import { unreachable } from '../../../src/lib/assert.ts'
import type {
  SandboxRuntime,
  SnapshotDriver,
} from '../../../src/sandboxes/drivers/generated/proto/snapshot_driver_pb.ts'
import type { DriverCode } from '../../../src/sandboxes/drivers/protocol/driver-code.ts'
import {
  type DriverErrorReason,
  SandboxDriverError,
} from '../../../src/sandboxes/drivers/protocol/sandbox-driver-error.ts'

/** A call of either service, for example `checkpoint` or `start`. */
export type DriverCall =
  | keyof (typeof SnapshotDriver)['method']
  | keyof (typeof SandboxRuntime)['method']

/**
 * A moment of a call. `during-effect` exists in Checkpoint only: the workload is frozen and the
 * output partial. At `after-effect` the result is not stored yet; at `before-answer` it is.
 */
export type FaultPoint = 'before-effect' | 'during-effect' | 'after-effect' | 'before-answer'

/** The event at that moment. */
export type FaultAction =
  | { readonly type: 'delay'; readonly ms: number }
  | { readonly type: 'hang' }
  | { readonly type: 'fail'; readonly code: DriverCode; readonly reason?: DriverErrorReason }
  /** The connections break; the call continues, but its caller never sees the answer. */
  | { readonly type: 'lose-answer' }
  /** The server ends. Its state stays for the next start. */
  | { readonly type: 'crash' }

export interface Fault {
  readonly call: DriverCall
  readonly point: FaultPoint
  readonly action: FaultAction
  /** How often it happens; once by default. */
  readonly times?: number
}

/** The faults of one reference server. */
export interface Faults {
  inject(fault: Fault): void
  /** Removes the faults that have not happened. */
  clear(): void
  /** Performs the fault of a moment, if there is one. */
  reach(call: DriverCall, point: FaultPoint, signal: AbortSignal): Promise<void>
}

interface FaultTarget {
  readonly dropConnections: () => void
  readonly crash: () => void
}

/** Faults that happen to the given server. */
export function createFaults(target: FaultTarget): Faults {
  let pending: readonly Fault[] = []
  return {
    inject: (fault) => {
      pending = [...pending, fault]
    },
    clear: () => {
      pending = []
    },
    reach: async (call, point, signal) => {
      const fault = pending.find((one) => one.call === call && one.point === point)
      if (fault === undefined) return
      const left = (fault.times ?? 1) - 1
      pending = pending.flatMap((one) => {
        if (one !== fault) return [one]
        return left === 0 ? [] : [{ ...fault, times: left }]
      })
      await perform(fault, target, signal)
    },
  }
}

async function perform(
  { action, call, point }: Fault,
  target: FaultTarget,
  signal: AbortSignal,
): Promise<void> {
  switch (action.type) {
    case 'delay':
      await sleep(action.ms, undefined, { signal }).catch(() => undefined)
      return throwIfCancelled(signal)
    case 'hang':
      await aborted(signal)
      return throwIfCancelled(signal)
    case 'fail':
      throw new SandboxDriverError(action.code, `injected failure of ${call} ${point}`, {
        reason: action.reason ?? null,
      })
    case 'lose-answer':
      return target.dropConnections()
    case 'crash':
      target.crash()
      // The process has ended: nothing after this moment happens.
      return await new Promise<never>(() => {})
    default:
      return unreachable(action)
  }
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new SandboxDriverError('CANCELLED', 'the call was cancelled')
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
