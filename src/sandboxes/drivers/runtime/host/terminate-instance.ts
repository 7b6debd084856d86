import { setTimeout as sleep } from 'node:timers/promises'
import type { Instance, TerminateRequest } from '../../generated/proto/snapshot_driver_pb.ts'
import { removedInstance } from '../instances/instance-message.ts'
import { killInstance, signalWorkload } from '../instances/instance-processes.ts'
import { emptySandbox } from '../instances/prepare-files.ts'
import { type InstanceExit, unknownExit } from '../instances/read-exit.ts'
import { isCgroupFrozen, setFrozen } from '../machine/cgroup.ts'
import { isAlive } from '../machine/process-identity.ts'
import type { InstanceRecord, RecordedRun, SandboxRecord } from '../records/sandbox-record.ts'
import { sandboxPaths } from '../sandbox-layout.ts'
import {
  describeInstance,
  type HostState,
  isLive,
  saveInstance,
  userOf,
  wallOf,
  wallTarget,
} from './host-state.ts'
import { runOf } from './find-instance.ts'
import { ownSandbox } from './own-sandbox.ts'
import { findExit, finishInstance } from './record-exit.ts'

const POLL_MS = 10
const KILLED = { code: 137, signal: 9, message: '' }
/** Time of the shim to write the exit status after the workload has ended. */
const SHIM_TIMEOUT_MS = 10_000

/** Ends an instance. Succeeds if it has ended or never existed. */
export function terminateInstance(
  state: HostState,
  request: TerminateRequest,
  signal: AbortSignal,
): Promise<Instance> {
  return ownSandbox(state, { request, signal }, async ({ record, signal: owned }) => {
    const { current } = record
    const run = runOf(record, request.instanceId)
    if (run === null) return removedInstance(request.sandbox, request.instanceId)
    const instance = isLive(run)
      ? await endInstance(
          state,
          { record, current: run },
          { graceMs: Number(request.graceSeconds) * 1000, signal: owned },
        )
      : await describeInstance(state, record, run)
    if (request.removeWorkspace && run === current) {
      await emptySandbox(sandboxPaths(state.layout, record.sandbox.uid), userOf(record))
    }
    return instance
  })
}

interface Ending {
  /** Time between SIGTERM and SIGKILL. 0 kills a frozen workload without thawing it. */
  readonly graceMs: number
  readonly signal: AbortSignal
}

/** Ends a live instance: SIGTERM, then SIGKILL for everything that is left. */
export async function endInstance(
  state: HostState,
  run: RecordedRun,
  { graceMs, signal }: Ending,
): Promise<Instance> {
  const { record, current } = run
  if (graceMs > 0) {
    const { cgroup } = current
    const send = () => sendTerm(state, record, current)
    // A frozen process has the signal before it runs again. A container must run to be signalled.
    const isSent = wallOf(state, current).signal === undefined && (await send())
    if (cgroup !== null && (await isCgroupFrozen(cgroup))) await setFrozen(cgroup, false)
    await untilEnded(current, { graceMs, signal, send: isSent ? null : send })
    signal.throwIfAborted()
  }
  if (!(await isAlive(current.init))) {
    // The programs around the first process pass its status on, so they are killed after that.
    const exit = await awaitExit(state, record, current)
    await killInstance(current)
    return finishInstance(state, run, exit)
  }
  await killInstance(current)
  const exit = await awaitExit(state, record, current)
  // `unshare` does not always report that its child was killed.
  return finishInstance(state, run, { ...exit, ...KILLED })
}

interface Exceeding {
  readonly uid: string
  readonly instanceId: string
  /** Which limit the workload exceeds. */
  readonly message: string
}

/** Kills an instance that exceeds a limit. Does nothing if it has ended. */
export function endExceeding(
  state: HostState,
  { uid, instanceId, message }: Exceeding,
): Promise<void> {
  return state.owners.run({ uid, fence: null, signal: state.closing }, async () => {
    const record = state.records.get(uid)
    const current = record?.current ?? null
    if (record === undefined || !isLive(current) || current.id !== instanceId) return
    await killInstance(current)
    const exit = await awaitExit(state, record, current)
    await finishInstance(state, { record, current }, { ...exit, ...KILLED, message })
  })
}

interface Unhealthy extends Exceeding {
  readonly graceMs: number
}

/**
 * Ends an instance whose probe has failed, unless it is frozen meanwhile. The reason is recorded
 * first, since a workload that ends by SIGTERM reports its end itself.
 */
export async function endUnhealthy(
  state: HostState,
  { uid, instanceId, message, graceMs }: Unhealthy,
): Promise<void> {
  const owner = { uid, fence: null, signal: state.closing }
  const find = (): RecordedRun | null => {
    const record = state.records.get(uid)
    const current = record?.current ?? null
    if (record === undefined || !isLive(current) || current.id !== instanceId) return null
    return { record, current }
  }
  await state.owners.run(owner, async () => {
    const found = find()
    if (found === null) return
    await saveInstance(state, found.record, { ...found.current, message })
  })
  const ending = find()
  if (ending !== null) {
    const send = () =>
      state.owners.run(owner, async () => {
        const found = find()
        return found === null || (await sendTerm(state, found.record, found.current))
      })
    await untilEnded(ending.current, { graceMs, signal: state.closing, send })
  }
  await state.owners.run(owner, async () => {
    const found = find()
    if (found === null) return
    const { record, current } = found
    if (current.cgroup !== null && (await isCgroupFrozen(current.cgroup))) {
      await saveInstance(state, record, { ...current, message: '' })
      return
    }
    await endInstance(state, found, { graceMs: 0, signal: state.closing })
  })
}

/** Returns false if there is no workload to signal yet. */
function sendTerm(
  state: HostState,
  record: SandboxRecord,
  current: InstanceRecord,
): Promise<boolean> {
  const wall = wallOf(state, current)
  return wall.signal === undefined
    ? signalWorkload(current, 'SIGTERM')
    : wall.signal(wallTarget(state, record, current), 'SIGTERM')
}

interface Termination extends Ending {
  /** Signals the workload, and returns false if it has not started. Null if it has the signal. */
  readonly send: (() => Promise<boolean>) | null
}

/**
 * Waits for the end of an instance. The first process of an instance has its pid before it starts the
 * workload, and a signal in between would be lost, so it is sent again until the workload has it.
 */
export async function untilEnded(
  { init }: Pick<InstanceRecord, 'init'>,
  { graceMs, signal, send }: Termination,
): Promise<void> {
  const deadline = performance.now() + graceMs
  let isSent = send === null
  while ((await isAlive(init)) && performance.now() < deadline && !signal.aborted) {
    isSent ||= (await send?.()) ?? true
    await sleep(POLL_MS)
  }
}

async function awaitExit(
  state: HostState,
  record: SandboxRecord,
  current: InstanceRecord,
): Promise<InstanceExit> {
  const deadline = performance.now() + SHIM_TIMEOUT_MS
  while (performance.now() < deadline) {
    const exit = await findExit(state, record, current)
    if (exit !== null) return exit
    await sleep(POLL_MS)
  }
  return unknownExit(state.clock().getTime(), 'terminated')
}
