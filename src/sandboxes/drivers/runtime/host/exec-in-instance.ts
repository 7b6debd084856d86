import { randomUUID } from 'node:crypto'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import type { ExecOutput, ExecRequest } from '../../generated/proto/snapshot_driver_pb.ts'
import { runExec } from '../exec/run-exec.ts'
import { checkVariable } from '../instances/check-start-request.ts'
import { isCgroupFrozen } from '../machine/cgroup.ts'
import { isAlive } from '../machine/process-identity.ts'
import type { WallExec } from '../walls/wall.ts'
import { findInstance } from './find-instance.ts'
import { networkEntry } from './start/instance-network.ts'
import { type HostState, isLive, wallOf, wallTarget } from './host-state.ts'

/** Runs a command of a client, which counts as use of the sandbox. */
export async function* execInInstance(
  state: HostState,
  request: ExecRequest,
  signal: AbortSignal,
): AsyncGenerator<ExecOutput> {
  const touch = (): void => {
    const uid = request.sandbox?.uid ?? ''
    if (state.records.has(uid)) state.lastExec.set(uid, state.clock().getTime())
  }
  touch()
  try {
    yield* runInInstance(state, request, signal)
  } finally {
    touch()
  }
}

/** Runs a command beside the workload of a live instance. */
export async function* runInInstance(
  state: HostState,
  request: ExecRequest,
  signal: AbortSignal,
): AsyncGenerator<ExecOutput> {
  if (request.command.length === 0) {
    throw new SandboxDriverError('INVALID_ARGUMENT', 'command is empty')
  }
  for (const { name, value } of request.env) checkVariable(name, value)
  const { record, run } = findInstance(state, request.sandbox, request.instanceId)
  // Another process may get the pid before the end is recorded.
  if (!isLive(run) || run.init === null || !(await isAlive(run.init))) {
    throw new SandboxDriverError('FAILED_PRECONDITION', `instance ${run.id} has ended`)
  }
  if (run.cgroup !== null && (await isCgroupFrozen(run.cgroup))) {
    throw new SandboxDriverError('FAILED_PRECONDITION', `instance ${run.id} is frozen`)
  }
  const wall = wallOf(state, run)
  const exec: WallExec = {
    ...wallTarget(state, record, run),
    pid: run.init.pid,
    networkEntry: networkEntry(state, run, run.init.pid),
    request,
    id: randomUUID(),
  }
  const timeoutMs = Number(request.timeoutSeconds) * 1000
  let hasEnded = false
  try {
    const command = wall.execCommand(exec)
    for await (const output of runExec({ command, stdin: request.stdin, timeoutMs, signal })) {
      hasEnded = output.output.case === 'exitCode'
      yield output
    }
  } finally {
    await wall.endExec?.(exec, hasEnded)
  }
}
