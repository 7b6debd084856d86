import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { SandboxDriverError } from '../../protocol/sandbox-driver-error.ts'
import type { SandboxKey } from '../../generated/proto/snapshot_driver_pb.ts'
import type { HostedInstance, HostedSandbox, VolumeDirectory } from '../hosted-drivers.ts'
import { continueInstance, stopInstance } from '../instances/instance-processes.ts'
import { isCgroupFrozen, setFrozen } from '../machine/cgroup.ts'
import type { RecordedRun, SandboxRecord } from '../records/sandbox-record.ts'
import { instancePaths, sandboxPaths } from '../sandbox-layout.ts'
import { describeInstance, type HostState, isolationOf, userOf, wallOf } from './host-state.ts'

/** A sandbox as drivers see it. */
export function hostedSandbox(
  state: HostState,
  record: SandboxRecord,
  key: SandboxKey,
): HostedSandbox {
  const paths = sandboxPaths(state.layout, record.sandbox.uid)
  return {
    key,
    directory: paths.directory,
    workspace: paths.workspace,
    volumesDirectory: paths.volumes,
    user: userOf(record),
    volumes: () => volumesIn(paths.volumes),
  }
}

/** An instance as drivers see it. If it has ended, it has no processes to freeze. */
export function hostedInstance(
  state: HostState,
  run: RecordedRun,
  key: SandboxKey,
): HostedInstance {
  const { record, current } = run
  const files = instancePaths(sandboxPaths(state.layout, record.sandbox.uid), current.id)
  const hasEnded = current.phase === 'Exited'
  const cgroup = hasEnded ? null : current.cgroup
  const change = async (frozen: boolean): Promise<void> => {
    if (hasEnded) return
    if (cgroup !== null) await changeFrozen(state, run, frozen)
    else await (frozen ? stopInstance(current) : continueInstance(current))
  }
  return {
    ...hostedSandbox(state, record, key),
    id: current.id,
    isolationClass: current.isolationClass ?? 'process',
    hasNetwork: current.network !== undefined,
    rootImage: current.image ?? '',
    imageUser: current.imageUser ?? null,
    pid: current.init?.pid ?? 0,
    cgroup,
    runDirectory: files.directory,
    outputFile: files.output,
    canFreeze: hasEnded || cgroup !== null,
    confine: (directories) =>
      hasEnded
        ? []
        : wallOf(state, current).readCommand(isolationOf(state, record, undefined), directories),
    isFrozen: async () => cgroup !== null && (await isCgroupFrozen(cgroup)),
    freeze: () => change(true),
    thaw: () => change(false),
  }
}

/** Freezes or thaws an instance and notifies watches. */
export async function changeFrozen(
  state: HostState,
  { record, current }: RecordedRun,
  frozen: boolean,
): Promise<void> {
  if (current.cgroup === null) {
    throw new SandboxDriverError(
      'UNIMPLEMENTED',
      'this runtime cannot freeze processes: it needs a writable cgroup v2',
    )
  }
  await setFrozen(current.cgroup, frozen)
  state.broadcaster.publish(await describeInstance(state, record, current))
}

async function volumesIn(directory: string): Promise<readonly VolumeDirectory[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, path: path.join(directory, name) }))
}
