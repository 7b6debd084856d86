import { mkdir, rm } from 'node:fs/promises'
import { must } from 'flotilla'
import { fileExists, readIfPresent } from 'flotilla/programs'
import { argumentsDigest } from '../../../protocol/arguments-digest.ts'
import { SandboxDriverError } from '../../../protocol/sandbox-driver-error.ts'
import {
  type Instance,
  type StartRequest,
  StartRequestSchema,
  type Workload,
} from '../../../generated/proto/snapshot_driver_pb.ts'
import { apiMountPath, withApiAccess } from '../../api/api-files.ts'
import { checkStartRequest, checkVariable } from '../../instances/check-start-request.ts'
import { allVolumes, forgetInit } from '../../instances/init-containers.ts'
import { BOOT_METADATA } from '../../hosted-drivers.ts'
import { killInstance } from '../../instances/instance-processes.ts'
import { launch } from '../../instances/launch.ts'
import {
  emptySandbox,
  makePassage,
  prepareSandbox,
  prepareVolumes,
} from '../../instances/prepare-files.ts'
import { createCgroup } from '../../machine/cgroup.ts'
import type { InstanceRecord, SandboxRecord } from '../../records/sandbox-record.ts'
import { storedLimits } from '../../records/stored-limits.ts'
import { type InstancePaths, instancePaths, sandboxPaths } from '../../sandbox-layout.ts'
import { hostNameOf } from '../../walls/view/host-name.ts'
import type { Wall } from '../../walls/wall.ts'
import {
  cgroupLimits,
  countLive,
  describeInstance,
  type HostState,
  isLive,
  saveInstance,
  saveRecord,
  userOf,
} from '../host-state.ts'
import { completeWorkload, imageOf, requireImageUser } from './instance-image.ts'
import { apiAccessOf, policyOf, reserveNetwork } from './instance-network.ts'
import { ownSandbox } from '../own-sandbox.ts'
import { recordExit, releaseInstance } from '../record-exit.ts'
import { startCommand } from './start-command.ts'
import { healthOf } from '../../records/instance-health.ts'

/** Starts an instance, or returns the instance if an earlier call has started it. */
export function startInstance(
  state: HostState,
  request: StartRequest,
  signal: AbortSignal,
): Promise<Instance> {
  const requested = checkStartRequest(request)
  for (const [name, value] of Object.entries(request.restoreMetadata)) {
    if (name.startsWith('env.')) checkVariable(name.slice('env.'.length), value)
  }
  const digest = startDigest(request)
  return ownSandbox(state, { request, signal }, async ({ record, signal: owned }) => {
    const started = [record.current, record.previous].find((run) => run?.id === request.instanceId)
    if (started) {
      if (started.requestDigest !== digest) throw startedOtherwise(started)
      return describeInstance(state, record, started)
    }
    const wall = checkStartable(state, record, requested)
    const completed = await completeWorkload(state, wall, requested)
    await requireImageUser(state, record, requested)
    const workload = withApiAccess(completed, {
      sandbox: record.sandbox,
      certificate: state.api.certificate,
      mountPath: await apiMountPath(await imageOf(state, requested)),
    })
    const policy = policyOf(state, wall, workload)
    const access = apiAccessOf(state, wall, { workload, plane: record.sandbox.plane })
    const { current } = await prepareInstance(state, record, { request, workload, digest })
    owned.throwIfAborted()
    const { uid, name } = record.sandbox
    const { directory } = instancePaths(sandboxPaths(state.layout, uid), current.id)
    const place = { uid, name: hostNameOf(name), directory }
    const network = reserveNetwork(state, { wall, policy, ...place, ...access })
    const next = { ...record, ...rotated(record), current: { ...current, ...network } }
    return launchInstance(state, next, { request, workload })
  })
}

/** Each attempt of a caller may have another token. */
function startDigest(request: StartRequest): string {
  const { workload, ...rest } = request
  const apiAccess = workload?.apiAccess && { ...workload.apiAccess, token: '' }
  return argumentsDigest(StartRequestSchema, {
    ...rest,
    operationId: '',
    ...(workload && { workload: { ...workload, ...(apiAccess && { apiAccess }) } }),
  })
}

function startedOtherwise({ id }: InstanceRecord): SandboxDriverError {
  const message = `instance ${id} was started with other arguments`
  return new SandboxDriverError('ALREADY_EXISTS', message)
}

/** Servers of earlier versions name no class and mean `process`. */
function classOf({ isolationClass }: Workload): string {
  return isolationClass || 'process'
}

/** Returns the wall of the workload. */
function checkStartable(state: HostState, record: SandboxRecord, workload: Workload): Wall {
  const isolationClass = classOf(workload)
  const offered = state.walls.find(({ name }) => name === isolationClass)
  if (!offered?.wall || offered.reason !== '') {
    const reason = offered?.reason ?? 'this version does not know it'
    throw new SandboxDriverError(
      'FAILED_PRECONDITION',
      `the runtime does not offer the class ${isolationClass}: ${reason}`,
      { reason: 'Unisolated' },
    )
  }
  if (record.removedAt !== null) {
    throw new SandboxDriverError('FAILED_PRECONDITION', `sandbox ${record.sandbox.uid} was removed`)
  }
  if (isLive(record.current)) {
    throw new SandboxDriverError(
      'FAILED_PRECONDITION',
      `instance ${record.current.id} of the sandbox is still running: terminate it first`,
    )
  }
  if (countLive(state) >= state.capacity) {
    throw new SandboxDriverError(
      'RESOURCE_EXHAUSTED',
      `the runtime has its maximum of ${state.capacity} instances (capacity of SANDBOXD)`,
      { reason: 'CapacityExhausted' },
    )
  }
  return offered.wall
}

interface Preparation {
  readonly request: StartRequest
  readonly workload: Workload
  readonly digest: string
}

/** Keeps the last run, so that its log stays available. */
function rotated({ current, previous }: SandboxRecord): Pick<SandboxRecord, 'previous'> {
  return { previous: current ?? previous }
}

async function prepareInstance(
  state: HostState,
  record: SandboxRecord,
  { request, workload, digest }: Preparation,
): Promise<{ readonly current: InstanceRecord }> {
  const { uid } = record.sandbox
  const paths = sandboxPaths(state.layout, uid)
  const user = userOf(record)
  if (request.clean) await emptySandbox(paths, user)
  await prepareSandbox(paths, user)
  await forgetInit(paths, workload)
  await prepareVolumes(paths, allVolumes(workload), user)
  const { directory, programs } = instancePaths(paths, request.instanceId)
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true })
  await makePassage(directory, user)
  const image = await imageOf(state, workload)
  const startPrograms = image?.lacksPrograms && (await state.programCopies.addTo(programs))
  const dropped = record.current === null ? null : record.previous
  if (dropped !== null) {
    await rm(instancePaths(paths, dropped.id).directory, { recursive: true, force: true })
  }
  const { cgroups } = state.machine
  const limits = cgroupLimits(state, classOf(workload), workload.limits)
  const cgroup = cgroups && (await createCgroup(cgroups, `${uid}.${request.instanceId}`, limits))
  const current: InstanceRecord = {
    id: request.instanceId,
    sandboxUid: uid,
    operationId: request.operationId,
    requestDigest: digest,
    phase: 'Starting',
    bootId: state.machine.bootId,
    shim: null,
    init: null,
    isolationClass: classOf(workload),
    ...(workload.image !== '' && { image: workload.image }),
    ...(image?.config.user && { imageUser: image.config.user }),
    ...(startPrograms && { startPrograms }),
    cgroup,
    limits: storedLimits(workload.limits),
    ...healthOf(workload),
    startedAt: state.clock().getTime(),
    finishedAt: null,
    exitCode: 0,
    exitSignal: 0,
    message: '',
  }
  return { current }
}

async function launchInstance(
  state: HostState,
  record: SandboxRecord,
  { request, workload }: Omit<Preparation, 'digest'>,
): Promise<Instance> {
  const current = must(record.current, 'the instance')
  const { uid } = record.sandbox
  const files = instancePaths(sandboxPaths(state.layout, uid), current.id)
  try {
    await saveRecord(state, record)
    const command = await startCommand(state, record, { request, workload })
    const launched = await launch(command, files, {
      user: userOf(record),
      onShimExit: () => void recordExit(state, uid, current.id),
    })
    await requireRestored(request, files)
    state.log.info({ sandbox: uid, instance: current.id, pid: launched.init?.pid }, 'started')
    return await saveInstance(state, record, { ...current, ...launched, phase: 'Running' })
  } catch (error) {
    await killInstance(current)
    await releaseInstance(state, record, current)
    // Without a trace of the instance, the caller may try again.
    await saveRecord(state, { ...record, current: record.previous, previous: null })
    throw error
  }
}

/** A restore that fails ends before the instance has a pid. The snapshot must not count as used. */
async function requireRestored(
  { restoreMetadata }: StartRequest,
  { pidFile, output }: InstancePaths,
): Promise<void> {
  if (restoreMetadata[BOOT_METADATA] !== 'RESUME' || (await fileExists(pidFile))) return
  const lines = ((await readIfPresent(output)) ?? '').trim().split('\n')
  throw new SandboxDriverError(
    'INTERNAL',
    `the memory of the snapshot could not be restored: ${lines.at(-1) ?? ''}`,
  )
}
