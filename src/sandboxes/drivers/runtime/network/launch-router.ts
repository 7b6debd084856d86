import { mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent, sendSignal } from 'flotilla/programs'
import { identifyProcess, isAlive, type ProcessIdentity } from '../machine/process-identity.ts'
import { spawnDetached } from '../machine/spawn-detached.ts'
import { ROUTER } from './router-addresses.ts'
import type { RouterNamespaces, RouterProcesses } from './router-namespaces.ts'
import { routerCommand } from './router-script.ts'

/** The programs of a router. */
export interface RouterPrograms {
  readonly unshare: string
  readonly nsenter: string
  /** Null for a router without an uplink. */
  readonly slirp: string | null
}

export interface RouterOptions {
  readonly directory: string
  readonly isRoot: boolean
  readonly programs: RouterPrograms
}

/** A busy machine needs seconds. */
const START_TIMEOUT_MS = 15_000
const POLL_MS = 5
/** Of the names of directories, one for each start. */
const PREFIX = 'router-'

/** Starts the processes of a router, with the namespaces of an earlier one or new ones. */
export async function launchRouter(
  { directory, isRoot, programs }: RouterOptions,
  namespaces: RouterNamespaces | null,
): Promise<RouterProcesses> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // A supervisor of which no record was written ends with its own directory.
  const files = await mkdtemp(path.join(directory, PREFIX))
  const command = routerCommand({
    ...programs,
    directory: files,
    isRoot,
    uplinkNetwork: ROUTER.uplinkNetwork,
    hasNamespaces: namespaces !== null,
  })
  await using output = await open(path.join(files, 'output.log'), 'a', 0o600)
  const { pid } = await spawnDetached(command, output, descriptors(namespaces))
  try {
    const supervisor = await identifyProcess(pid)
    if (supervisor === null) throw await startFailure(files)
    const hasUplink = programs.slirp !== null
    const processes = await awaitProcesses({ directory: files, supervisor, hasUplink })
    await removeOthers(directory, files)
    return processes
  } catch (error) {
    sendSignal(-pid, 'SIGKILL')
    throw error
  }
}

/** The descriptors from 3 on: nothing up to 6, then the namespaces. */
function descriptors(namespaces: RouterNamespaces | null): readonly (number | null)[] {
  if (namespaces === null) return []
  const { net, mnt, user } = namespaces
  return [null, null, null, null, net.fd, mnt.fd, user.fd]
}

interface Launched {
  readonly directory: string
  readonly supervisor: ProcessIdentity
  readonly hasUplink: boolean
}

/** Waits until the namespaces are prepared, and the uplink works. */
async function awaitProcesses(launched: Launched): Promise<RouterProcesses> {
  const { directory, supervisor, hasUplink } = launched
  const deadline = performance.now() + START_TIMEOUT_MS
  for (;;) {
    const isReady = await readIfPresent(path.join(directory, hasUplink ? 'ready' : 'prepared'))
    const holder = await identifyFrom(path.join(directory, 'holder'))
    const uplink = hasUplink ? await identifyFrom(path.join(directory, 'uplink')) : null
    if (isReady && holder !== null && (uplink !== null || !hasUplink)) {
      return { supervisor, holder, uplink }
    }
    const isLate = performance.now() > deadline
    if (isLate || !(await isAlive(supervisor))) throw await startFailure(directory)
    await sleep(POLL_MS)
  }
}

/** Why a router did not start: the end of its output. */
async function startFailure(directory: string): Promise<Error> {
  const output = await readFile(path.join(directory, 'output.log'), 'utf8')
  const text = output.trim().split('\n').slice(-2).join('; ')
  return new Error(text || `no answer after ${START_TIMEOUT_MS} ms`)
}

async function identifyFrom(pidFile: string): Promise<ProcessIdentity | null> {
  const pid = await readIfPresent(pidFile)
  return pid === null ? null : identifyProcess(Number(pid))
}

/** The loops of earlier supervisors end without their directories. */
async function removeOthers(directory: string, kept: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const isOther = name.startsWith(PREFIX) && name !== path.basename(kept)
    if (isOther) await rm(path.join(directory, name), { recursive: true, force: true })
  }
}
