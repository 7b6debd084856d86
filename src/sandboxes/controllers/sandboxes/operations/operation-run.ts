import { create } from '@bufbuild/protobuf'
import type { JsonObject } from 'flotilla'
import type { PlaneClient } from 'flotilla/controllers'
import type { SandboxOperation } from '../../../storage/sandbox-operation.ts'
import type { SandboxProgress, SandboxState } from '../../../storage/sandbox-state.ts'
import {
  type SandboxKey,
  SandboxKeySchema,
} from '../../../drivers/generated/proto/snapshot_driver_pb.ts'
import type { RuntimeConnection } from '../../../drivers/protocol/connect-runtime.ts'
import type { ObservedSandbox } from '../model/observed-sandbox.ts'
import { OperationProblem } from './operation-problem.ts'
import type { OperationParts } from './operation-parts.ts'

const DEFAULT_TIMEOUT_MS = 120_000

/** One run of an operation: from its recorded step to its end, a pause, or a crash. */
export interface OperationRun {
  readonly parts: OperationParts
  readonly operation: SandboxOperation
  readonly state: SandboxState
  /** Null if the object no longer exists. */
  readonly sandbox: ObservedSandbox | null
  /** Aborted if the operation is cancelled or its lease is lost. */
  readonly signal: AbortSignal
}

/** The result of a step. */
export type Outcome =
  | {
      readonly next: string
      readonly data?: JsonObject
      readonly progress?: Partial<SandboxProgress>
      /** Begins the next attempt, after a pause. */
      readonly retry?: {
        readonly delayMs: number
        readonly reason: string
        readonly message: string
      }
    }
  | {
      readonly finish: 'Succeeded' | 'Cancelled' | 'Failed'
      readonly progress?: Partial<SandboxProgress>
      readonly reason?: string
      readonly message?: string
      /** Removes the rows: the sandbox is gone. */
      readonly removesRows?: boolean
    }

export type Step = (run: OperationRun) => Promise<Outcome>

/** The ID of a driver's call. A repeated call has the same ID, another attempt has another one. */
export function callId({ id, attempt }: SandboxOperation, call: string): string {
  return `${id}.${attempt}.${call}`
}

/** The ID of the instance or the snapshot that an attempt creates. */
export function attemptId({ id, attempt }: SandboxOperation): string {
  return `${id}-${attempt}`
}

export function sandboxKey({ parts, state }: OperationRun): SandboxKey {
  const { plane, namespace, name, uid } = state
  return create(SandboxKeySchema, {
    plane,
    namespace,
    name,
    uid,
    installation: parts.installation,
  })
}

export function planeClient({ parts, state }: OperationRun): PlaneClient {
  return parts.client(state.plane)
}

export function callOptions({ sandbox, signal }: OperationRun) {
  return {
    timeoutMs: sandbox === null ? DEFAULT_TIMEOUT_MS : sandbox.spec.strategy.timeoutSeconds * 1000,
    signal,
  }
}

/** The runtime of the sandbox's row. */
export function runtimeClient(
  run: OperationRun,
  name = run.state.runtime,
): RuntimeConnection['runtime'] {
  const clients = name === null ? null : run.parts.runtimes.clients(name)
  if (clients !== null) return clients.runtime
  throw new OperationProblem('RuntimeUnreachable', {
    message: `The runtime "${name ?? ''}" is not registered`,
    action: 'ask',
  })
}

export function driverClient(run: OperationRun, driver: string): RuntimeConnection['driver'] {
  const { runtime } = run.state
  const client = runtime === null ? null : run.parts.runtimes.driverFor(runtime, driver)
  if (client !== null) return client
  throw new OperationProblem('DriverNotFound', {
    message: `The runtime "${runtime ?? ''}" has no driver "${driver}"`,
    action: 'unresolved',
  })
}

/** The spec of the sandbox, for steps that a deleted object never reaches. */
export function sandboxOf({ sandbox, state }: OperationRun): ObservedSandbox {
  if (sandbox !== null) return sandbox
  throw new OperationProblem('SandboxDeleted', {
    message: `The sandbox "${state.name}" no longer exists`,
    action: 'fail',
  })
}

/** A text that an earlier step has recorded; empty if it is absent. */
export function recorded(data: JsonObject, key: string): string {
  const value = data[key]
  return typeof value === 'string' ? value : ''
}
