import {
  callId,
  callOptions,
  type OperationRun,
  runtimeClient,
  sandboxKey,
} from './operation-run.ts'

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
  const grace = BigInt(sandbox?.spec.workload.gracePeriodSeconds ?? 0)
  await runtimeClient(run).terminate(
    {
      sandbox: sandboxKey(run),
      instanceId: id ?? '',
      operationId: callId(operation, 'terminate'),
      fence: operation.fence,
      graceSeconds: isGraceful ? grace : 0n,
      removeWorkspace: removesWorkspace,
    },
    callOptions(run),
  )
}
