import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfPresent } from '../../../lib/files/read-if-present.ts'
import { sendSignal } from '../../../lib/processes/send-signal.ts'
import { writeDurably } from '../../protocol/write-durably.ts'
import { identifyProcess, isAlive, type ProcessIdentity } from '../machine/process-identity.ts'
import { spawnDetached } from '../machine/spawn-detached.ts'
import { ROUTER } from './router-addresses.ts'
import { routerCommand } from './router-script.ts'
import { runScript } from './run-script.ts'

/** The programs of a router. */
export interface RouterPrograms {
  readonly unshare: string
  readonly nsenter: string
  /** Null for a router without an uplink. */
  readonly slirp: string | null
}

/** A namespace through which the sandboxes of a runtime reach other networks. */
export interface Router {
  /** Whether it reaches other networks. */
  readonly hasUplink: boolean
  /** The network namespace of the router itself. */
  readonly own: string
  /** The prefix of a command that runs in the network namespace of a file. */
  enter(namespaceFile: string): readonly string[]
  /** The path of a network namespace of a sandbox. */
  namespaceFile(name: string): string
  /** Runs a script of sh inside the router. */
  run(script: string, stdin: string): Promise<string>
  /** Ends its processes. Namespaces with living processes stay, without an uplink. */
  stop(): Promise<void>
}

interface RouterRecord {
  readonly supervisor: ProcessIdentity
  readonly holder: ProcessIdentity
  readonly slirp: string | null
}

interface RouterOptions {
  readonly directory: string
  readonly isRoot: boolean
  readonly programs: RouterPrograms
}

/** A busy machine needs seconds. */
const START_TIMEOUT_MS = 15_000
const POLL_MS = 5

/**
 * Finds the router that an earlier runtime of this directory has left; null if it has ended. A router
 * with other programs is only kept while sandboxes use it.
 */
export async function findRouter(options: RouterOptions, isUsed: boolean): Promise<Router | null> {
  const text = await readIfPresent(recordFile(options.directory))
  if (text === null) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only startRouter writes the file, atomically
  const record = JSON.parse(text) as RouterRecord
  const isComplete = (await isAlive(record.supervisor)) && (await isAlive(record.holder))
  const isSame = record.slirp === options.programs.slirp
  if (isComplete && (isSame || isUsed)) return routerOf(options, record)
  await stopRouter(options.directory, record)
  return null
}

/** Starts a router. Rejects with the reason if this machine or user cannot run one. */
export async function startRouter(options: RouterOptions): Promise<Router> {
  const { directory, isRoot, programs } = options
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { recursive: true, mode: 0o700 })
  // A supervisor of which no record was written ends with its own directory.
  const files = await mkdtemp(path.join(directory, 'router-'))
  const command = routerCommand({
    directory: files,
    isRoot,
    unshare: programs.unshare,
    slirp: programs.slirp,
    uplinkNetwork: ROUTER.uplinkNetwork,
  })
  const output = await open(path.join(files, 'output.log'), 'a', 0o600)
  try {
    const { pid } = await spawnDetached(command, output)
    try {
      const supervisor = await identifyProcess(pid)
      if (supervisor === null) throw await startFailure(files)
      const holder = await awaitHolder(files, programs.slirp !== null, supervisor)
      const record: RouterRecord = { supervisor, holder, slirp: programs.slirp }
      await writeDurably(recordFile(directory), JSON.stringify(record))
      return routerOf(options, record)
    } catch (error) {
      sendSignal(-pid, 'SIGKILL')
      throw error
    }
  } finally {
    await output.close()
  }
}

async function awaitHolder(
  directory: string,
  hasUplink: boolean,
  supervisor: ProcessIdentity,
): Promise<ProcessIdentity> {
  const deadline = performance.now() + START_TIMEOUT_MS
  const last = hasUplink ? 'ready' : 'prepared'
  for (;;) {
    if (await readIfPresent(path.join(directory, last))) {
      const holder = await readIfPresent(path.join(directory, 'holder'))
      const identity = holder === null ? null : await identifyProcess(Number(holder))
      if (identity !== null) return identity
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

function routerOf({ directory, isRoot, programs }: RouterOptions, record: RouterRecord): Router {
  const { holder } = record
  const user = isRoot ? [] : ['--user', '--preserve-credentials']
  const target = [programs.nsenter, `--target=${holder.pid}`, ...user]
  return {
    hasUplink: record.slirp !== null,
    own: `/proc/${holder.pid}/ns/net`,
    namespaceFile: (name) => `/proc/${holder.pid}/root/run/netns/${name}`,
    enter: (file) => [...(isRoot ? [programs.nsenter] : target), `--net=${file}`, '--'],
    run: (script, stdin) =>
      runScript([...target, '--net', '--mount', '--', '/bin/sh', '-c', script], stdin),
    stop: () => stopRouter(directory, record),
  }
}

async function stopRouter(directory: string, { supervisor, holder }: RouterRecord): Promise<void> {
  // The supervisor leads the group of all processes of the router.
  for (const one of [supervisor, holder]) {
    // The kernel gives no new process the id of a group that has members.
    if (await isAlive(one)) sendSignal(-supervisor.pid, 'SIGKILL')
    while (await isAlive(one)) await sleep(POLL_MS)
  }
  await rm(directory, { recursive: true, force: true })
}

function recordFile(directory: string): string {
  return path.join(directory, 'router.json')
}
