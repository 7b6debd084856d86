import path from 'node:path'
import type { Clock, Log } from 'flotilla'
import { claimDirectory } from 'flotilla/programs'
import { imageDirectories } from '../../images/image-store.ts'
import { type ApiIdentity, openApiGateway } from '../api/api-gateway.ts'
import type { HostedDrivers } from '../hosted-drivers.ts'
import { removeEmptyCgroups } from '../machine/cgroup.ts'
import { removeCgroupRoot } from '../machine/cgroup-root.ts'
import { inspectMachine, type Machine } from '../machine/machine.ts'
import { openNetworks } from '../network/open-networks.ts'
import type { NetworkRecord } from '../network/sandbox-networks.ts'
import { openRecordStore, type RecordStore } from '../records/record-store.ts'
import type { RuntimeLayout } from '../sandbox-layout.ts'
import { offerWalls } from '../walls/offer-walls.ts'
import { PROCESS_WALL } from '../walls/process-wall.ts'
import { programCopies } from '../walls/view/start-programs.ts'
import type { OfferedWall } from '../walls/wall.ts'
import { createInstanceBroadcaster } from './instance-broadcaster.ts'
import type { HostState } from './host-state.ts'
import { isLive } from './host-state.ts'
import { limitDisks } from './limit-disks.ts'
import { observeInstances } from './observe-instances.ts'
import { prepareDirectories } from './prepare-directories.ts'
import { probeInstances } from './probe-instances.ts'
import { removeUnusedImages } from './remove-unused-images.ts'
import { recoverSandboxes } from './recover-sandboxes.ts'
import { createSandboxOwners } from './sandbox-owners.ts'
import { endInstance } from './terminate-instance.ts'

export interface HostOptions {
  /** Created if it does not exist. Only one host may use it. */
  readonly directory: string
  readonly capacity: number
  /** Whether workloads of the class `process` start, which have no wall. */
  readonly startsUnisolated: boolean
  /** Creates the drivers for this machine. They may keep files in its private directory. */
  readonly drivers: (
    machine: Machine,
    layout: RuntimeLayout,
    walls: readonly OfferedWall[],
  ) => Promise<HostedDrivers>
  /** The certificate of the API inside sandboxes. */
  readonly apiIdentity: () => Promise<ApiIdentity>
  readonly clock: Clock
  readonly log: Log
}

/** The sandboxes of this machine. Disposal leaves their workloads running. */
export interface SandboxHost extends AsyncDisposable {
  readonly state: HostState
  /** Ends all workloads: SIGTERM, then SIGKILL after the grace period. */
  terminateAll(graceMs: number): Promise<void>
}

/** Takes over the directory, and finds the workloads that an earlier host has left running. */
export async function openHost(options: HostOptions): Promise<SandboxHost> {
  const layout = await prepareDirectories(path.resolve(options.directory))
  const claim = await claimDirectory(layout.stateDirectory, 'dir of SANDBOXD')
  try {
    const closing = new AbortController()
    const machine = await inspectMachine(layout.stateDirectory)
    const { startsUnisolated, log } = options
    const store = await openRecordStore(layout.stateDirectory)
    const networks = await openNetworks({
      directory: path.join(layout.stateDirectory, 'network'),
      isRoot: machine.isRoot,
      live: await liveNetworks(store, machine),
      log,
      closing: closing.signal,
    })
    const api = await openApiGateway({ networks, identity: options.apiIdentity, log })
    const walls = await offerWalls({ machine, layout, networks, startsUnisolated })
    const drivers = await options.drivers(machine, layout, walls)
    const state: HostState = {
      layout,
      images: await imageDirectories(layout.imagesDirectory),
      programCopies: programCopies(layout),
      machine,
      capacity: options.capacity,
      walls,
      networks,
      api,
      drivers,
      restoresMemory: await canRestoreMemory(drivers),
      store,
      records: new Map(),
      lastExec: new Map(),
      owners: createSandboxOwners(),
      broadcaster: createInstanceBroadcaster(),
      clock: options.clock,
      log,
      closing: closing.signal,
    }
    await recoverSandboxes(state)
    const tasks = [observeInstances, limitDisks, removeUnusedImages, probeInstances]
    const observation = Promise.all(tasks.map((task) => task(state)))
    return {
      state,
      terminateAll: (graceMs) => terminateAll(state, graceMs),
      [Symbol.asyncDispose]: async () => {
        closing.abort()
        await observation
        await api[Symbol.asyncDispose]()
        await networks.close()
        await removeCgroups(machine)
        await claim.release()
      },
    }
  } catch (error) {
    await claim.release()
    throw error
  }
}

async function removeCgroups({ cgroups }: Machine): Promise<void> {
  if (cgroups === null) return
  await removeEmptyCgroups(cgroups)
  await removeCgroupRoot(cgroups)
}

/** The networks of the instances that an earlier host has left running. */
async function liveNetworks(
  store: RecordStore,
  { bootId }: Machine,
): Promise<readonly NetworkRecord[]> {
  const records = await store.readAll()
  return records.flatMap(({ current }) =>
    isLive(current) && current.bootId === bootId && current.network ? [current.network] : [],
  )
}

/** Whether a driver restores memory of the class process. */
async function canRestoreMemory(drivers: HostedDrivers): Promise<boolean> {
  for (const driver of drivers.values()) {
    const { memoryClass } = driver
    if (memoryClass === PROCESS_WALL.name && (await driver.info()).unavailableReason === '') {
      return true
    }
  }
  return false
}

async function terminateAll(state: HostState, graceMs: number): Promise<void> {
  const ended = [...state.records.keys()].map((uid) =>
    state.owners
      .run({ uid, fence: null, signal: state.closing }, async () => {
        const record = state.records.get(uid)
        const current = record?.current ?? null
        if (record === undefined || !isLive(current)) return
        await endInstance(state, { record, current }, { graceMs, signal: state.closing })
      })
      // Others must end too, for example if the disk is full.
      .catch((error: unknown) =>
        state.log.warn({ err: error, sandbox: uid }, 'cannot record the end'),
      ),
  )
  await Promise.all(ended)
}
