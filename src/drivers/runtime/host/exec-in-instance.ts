import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import type { ExecOutput, ExecRequest } from '../../proto/snapshot_driver_pb.ts'
import { runExec } from '../exec/run-exec.ts'
import { checkVariable } from '../instances/check-start-request.ts'
import { isCgroupFrozen } from '../machine/cgroup.ts'
import { limitsOf } from '../records/stored-limits.ts'
import { instancePaths, sandboxPaths } from '../sandbox-layout.ts'
import { findInstance } from './find-instance.ts'
import { type HostState, isLive, isolationOf, joinFilesOf, wallOf } from './host-state.ts'

/** Runs a command beside the workload of a live instance. */
export async function* execInInstance(
  state: HostState,
  request: ExecRequest,
  signal: AbortSignal,
): AsyncGenerator<ExecOutput> {
  if (request.command.length === 0) {
    throw new SandboxDriverError('INVALID_ARGUMENT', 'command is empty')
  }
  for (const { name, value } of request.env) checkVariable(name, value)
  const { record, run } = findInstance(state, request.sandbox, request.instanceId)
  if (!isLive(run) || run.init === null) {
    throw new SandboxDriverError('FAILED_PRECONDITION', `instance ${run.id} has ended`)
  }
  if (run.cgroup !== null && (await isCgroupFrozen(run.cgroup))) {
    throw new SandboxDriverError('FAILED_PRECONDITION', `instance ${run.id} is frozen`)
  }
  const { uid } = record.sandbox
  const paths = sandboxPaths(state.layout, uid)
  const touch = (): void => void state.lastExec.set(uid, state.clock().getTime())
  touch()
  const command = wallOf(state, run).execCommand({
    files: {
      paths,
      environmentFile: instancePaths(paths, run.id).environmentFile,
      joinFiles: joinFilesOf(state, run),
    },
    isolation: isolationOf(state, record, limitsOf(run)),
    pid: run.init.pid,
    request,
  })
  const timeoutMs = Number(request.timeoutSeconds) * 1000
  try {
    yield* runExec({ command, stdin: request.stdin, timeoutMs, signal })
  } finally {
    touch()
  }
}
