import {
  callId,
  callOptions,
  type OperationRun,
  runtimeClient,
  sandboxKey,
} from './operation-run.ts'

/** Timers have a limit. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

interface TerminateOptions {
  /** SIGTERM first. Otherwise a frozen workload ends without running again. */
  readonly isGraceful: boolean
  readonly removesWorkspace: boolean
  /** The instance of the row if absent. */
  readonly instanceId?: string
}

/** Ends an instance, which need not exist. Does nothing if the sandbox never had a runtime. */
export async function terminate(
  run: OperationRun,
  { isGraceful, removesWorkspace, instanceId }: TerminateOptions,
): Promise<void> {
  const { operation, state, sandbox } = run
  const id = instanceId ?? state.instanceId
  if (state.runtime === null || (id === null && !removesWorkspace)) return
  const graceSeconds = isGraceful ? (sandbox?.spec.workload.gracePeriodSeconds ?? 0) : 0
  const { timeoutMs, signal } = callOptions(run)
  await runtimeClient(run).terminate(
    {
      sandbox: sandboxKey(run),
      instanceId: id ?? '',
      operationId: callId(operation, 'terminate'),
      fence: operation.fence,
      graceSeconds: BigInt(graceSeconds),
      removeWorkspace: removesWorkspace,
    },
    // A workload that ignores SIGTERM is killed after its grace period, not at every deadline.
    { signal, timeoutMs: Math.min(timeoutMs + graceSeconds * 1000, MAX_TIMEOUT_MS) },
  )
}
