import { randomUUID } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { must, pause } from 'flotilla'
import {
  ExecRequestSchema,
  type Probe,
  type Probes,
} from '../../generated/proto/snapshot_driver_pb.ts'
import { runningInit } from '../instances/init-containers.ts'
import { isCgroupFrozen } from '../machine/cgroup.ts'
import { type CheckTarget, checkInstance } from '../probes/check-instance.ts'
import { type Connect, connectInMachine, connectThrough } from '../probes/connect.ts'
import {
  type CheckResult,
  type ProbedInstance,
  type ProbedState,
  runProbes,
} from '../probes/run-probes.ts'
import { probesOf } from '../records/instance-health.ts'
import type { InstanceHealth, InstanceRecord, SandboxRecord } from '../records/sandbox-record.ts'
import { sandboxPaths } from '../sandbox-layout.ts'
import { runInInstance } from './exec-in-instance.ts'
import { type HostState, isLive, saveInstance, wallOf, wallTarget } from './host-state.ts'
import { networkEntry } from './start/instance-network.ts'
import { endUnhealthy } from './terminate-instance.ts'

/** Pause before the probes of an instance begin again, for example because it was frozen. */
const AGAIN_MS = 1000
const INIT_POLL_MS = 100
/** Pause between records of messages that change with every check. */
const MESSAGE_MS = 10_000

interface Prober {
  readonly instanceId: string
  readonly stop: AbortController
  readonly done: Promise<void>
}

/** Performs the probes of all live instances until the runtime closes. */
export async function probeInstances(state: HostState): Promise<void> {
  const probers = new Map<string, Prober>()
  const follow = (uid: string): void => {
    const current = liveRun(state, uid)
    const prober = probers.get(uid)
    if (prober !== undefined && prober.instanceId === current?.id) return
    prober?.stop.abort()
    probers.delete(uid)
    if (current?.health === undefined) return
    const stop = new AbortController()
    const done = probe(state, { uid, run: current }, AbortSignal.any([stop.signal, state.closing]))
    probers.set(uid, { instanceId: current.id, stop, done })
  }
  const changes = state.broadcaster.subscribe(state.closing)
  for (const uid of state.records.keys()) follow(uid)
  for await (const { sandbox } of changes) follow(sandbox?.uid ?? '')
  await Promise.all([...probers.values()].map(({ done }) => done))
}

/** The current instance if its workload runs or is frozen. */
function liveRun(state: HostState, uid: string): InstanceRecord | null {
  const current = state.records.get(uid)?.current ?? null
  return isLive(current) && current.phase === 'Running' ? current : null
}

interface Probed {
  readonly uid: string
  readonly run: InstanceRecord
}

async function probe(state: HostState, probed: Probed, signal: AbortSignal): Promise<void> {
  const { uid, run } = probed
  const probes = must(probesOf(run), 'the probes')
  while (!signal.aborted) {
    try {
      await awaitInitContainers(state, probed, signal)
      if (signal.aborted) return
      const hasFailed = await runProbes(probes, probedInstance(state, probed), signal)
      if (!hasFailed) return
    } catch (error) {
      if (signal.aborted) return
      state.log.warn({ err: error, sandbox: uid, instance: run.id }, 'probing failed')
    }
    await pause(AGAIN_MS, signal)
  }
}

/** Reports which init container runs, until all have ended. */
async function awaitInitContainers(
  state: HostState,
  { uid, run }: Probed,
  signal: AbortSignal,
): Promise<void> {
  const paths = sandboxPaths(state.layout, uid)
  const save = stateRecorder(state, { uid, run })
  while (!signal.aborted) {
    const { initDigest, ...health } = must(liveRun(state, uid)?.health, 'the health')
    if (initDigest === undefined) return
    const name = await runningInit(paths, initDigest)
    if (name === null) {
      await saveHealth(state, { uid, run }, afterInit(health, probesOf(run), ageOf(state, run)))
      return
    }
    const message = name === '' ? health.message : `its init container ${name} runs`
    await save({ ...health, message })
    await pause(INIT_POLL_MS, signal)
  }
}

/** Without a startup or readiness probe, the workload is ready. */
function afterInit(health: InstanceHealth, probes: Probes | null, initMs: number): InstanceHealth {
  const isGated = (probes?.startup ?? probes?.readiness) !== undefined
  const message = isGated ? 'its probes have not succeeded yet' : ''
  return { ...health, initMs, isReady: !isGated, message }
}

function ageOf({ clock }: HostState, { startedAt }: InstanceRecord): number {
  return clock().getTime() - startedAt
}

function probedInstance(state: HostState, { uid, run }: Probed): ProbedInstance {
  const { graceMs } = must(run.health, 'the health')
  const save = stateRecorder(state, { uid, run })
  return {
    state: liveRun(state, uid)?.health ?? must(run.health, 'the health'),
    pause,
    age: () => ageOf(state, run) - (liveRun(state, uid)?.health?.initMs ?? 0),
    check: (each, signal) => check(state, { uid, run }, { each, signal }),
    onState: save,
    onFailure: async ({ gracePeriodSeconds }, message) => {
      state.log.info({ sandbox: uid, instance: run.id, reason: message }, 'ending')
      const own = gracePeriodSeconds === undefined ? graceMs : Number(gracePeriodSeconds) * 1000
      await endUnhealthy(state, { uid, instanceId: run.id, message, graceMs: own })
    },
  }
}

interface Check {
  readonly each: Probe
  readonly signal: AbortSignal
}

/** A failure means nothing if a call, such as a capture, may have stopped the processes meanwhile. */
async function check(
  state: HostState,
  probed: Probed,
  { each, signal }: Check,
): Promise<CheckResult> {
  const { uid, run } = probed
  const isFrozen = async (): Promise<boolean> =>
    run.cgroup !== null && (await isCgroupFrozen(run.cgroup))
  await state.owners.idle(uid)
  if (signal.aborted || (await isFrozen())) return null
  const began = performance.now()
  const result = await checkInstance(targetOf(state, probed), each, signal)
  if (result.isSuccess) return result
  return state.owners.isIdleSince(uid, began) && !(await isFrozen()) ? result : null
}

function targetOf(state: HostState, { uid, run }: Probed): CheckTarget {
  const record = must(state.records.get(uid), 'the record')
  return {
    connect: connectTo(state, record, run),
    exec: (command, timeoutSeconds, signal) =>
      runInInstance(
        state,
        create(ExecRequestSchema, {
          sandbox: record.sandbox,
          instanceId: run.id,
          command: [...command],
          timeoutSeconds: BigInt(timeoutSeconds),
        }),
        signal,
      ),
  }
}

function connectTo(state: HostState, record: SandboxRecord, run: InstanceRecord): Connect {
  const { perl } = state.machine.programs
  const wall = wallOf(state, run)
  const { pid } = must(run.init, 'the first process')
  const target = {
    ...wallTarget(state, record, run),
    pid,
    networkEntry: networkEntry(state, run, pid),
  }
  const enter = wall.networkCommand?.(target)
  if (enter?.length === 0) return connectInMachine
  if (perl === undefined) return () => Promise.reject(new Error('the program perl is missing'))
  // A command beside the workload runs the programs that its sandbox has.
  const command = enter === undefined ? target.startPrograms.perl : [perl]
  return connectThrough(command, (relay) => {
    if (enter !== undefined) return { command: [...enter, ...relay] }
    const request = create(ExecRequestSchema, { command: [...relay] })
    const exec = { ...target, request, id: randomUUID() }
    return {
      command: wall.execCommand(exec),
      end: async () => wall.endExec?.(exec, false),
    }
  })
}

/** Saves a state if it is another one. Texts that change with every check are saved less often. */
function stateRecorder(state: HostState, { uid, run }: Probed) {
  let savedAt = -MESSAGE_MS
  const isKnown = ({ hasStarted, isReady, message }: ProbedState): boolean => {
    const health = liveRun(state, uid)?.health
    if (health?.isReady !== isReady || health.hasStarted !== hasStarted) return false
    return health.message === message || performance.now() - savedAt < MESSAGE_MS
  }
  return async (probed: ProbedState): Promise<void> => {
    if (isKnown(probed)) return
    const { hasStarted, isReady, message } = probed
    const before = liveRun(state, uid)?.health
    if (before === undefined) return
    await saveHealth(state, { uid, run }, { ...before, hasStarted, isReady, message })
    savedAt = performance.now()
  }
}

/** Only the probes of an instance change its health. */
async function saveHealth(
  state: HostState,
  { uid, run }: Probed,
  health: InstanceHealth,
): Promise<void> {
  await state.owners.run({ uid, fence: null, signal: state.closing }, async () => {
    const record = state.records.get(uid)
    const current = liveRun(state, uid)
    if (record === undefined || current?.health === undefined || current.id !== run.id) return
    await saveInstance(state, record, { ...current, health })
  })
}
