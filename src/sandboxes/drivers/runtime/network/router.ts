import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from 'flotilla'
import { readIfPresent, sendSignal } from 'flotilla/programs'
import { writeDurably } from '../../protocol/write-durably.ts'
import { isAlive } from '../machine/process-identity.ts'
import { launchRouter, type RouterOptions } from './launch-router.ts'
import type { RouterProcesses } from './router-namespaces.ts'
import {
  closeNamespaces,
  enterNamespaces,
  openNamespaces,
  type RouterNamespaces,
} from './router-namespaces.ts'
import { runScript } from './run-script.ts'

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
  /** Starts processes again that were killed, and returns whether there were some. */
  restore(): Promise<boolean>
  /** Ends its processes. Namespaces with living processes stay, without an uplink. */
  stop(): Promise<void>
}

interface RouterRecord extends RouterProcesses {
  readonly slirp: string | null
}

const POLL_MS = 5

/**
 * Finds the router that an earlier runtime of this directory has left; null if it has ended. A router
 * with other programs is only kept while sandboxes use it.
 */
export async function findRouter(options: RouterOptions, isUsed: boolean): Promise<Router | null> {
  const text = await readIfPresent(recordFile(options.directory))
  if (text === null) return null
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only this file writes it, atomically
  const record = JSON.parse(text) as RouterRecord
  const namespaces = await openNamespaces(record)
  const isSame = record.slirp === options.programs.slirp
  if (namespaces === null || !(isSame || isUsed)) {
    if (namespaces !== null) await closeNamespaces(namespaces)
    await endProcesses(record)
    return null
  }
  const programs = { ...options.programs, slirp: record.slirp }
  const router = routerOf({ ...options, programs }, record, namespaces)
  await router.restore()
  return router
}

/** Starts a router. Rejects with the reason if this machine or user cannot run one. */
export async function startRouter(options: RouterOptions): Promise<Router> {
  await rm(options.directory, { recursive: true, force: true })
  const record = await launchAndRecord(options, null)
  const namespaces = must(await openNamespaces(record), 'the namespaces of the router')
  return routerOf(options, record, namespaces)
}

async function launchAndRecord(
  options: RouterOptions,
  namespaces: RouterNamespaces | null,
): Promise<RouterRecord> {
  const processes = await launchRouter(options, namespaces)
  const record = { ...processes, slirp: options.programs.slirp }
  await writeDurably(recordFile(options.directory), JSON.stringify(record))
  return record
}

function routerOf(
  options: RouterOptions,
  found: RouterRecord,
  namespaces: RouterNamespaces,
): Router {
  const { directory, isRoot, programs } = options
  let record = found
  let restored: Promise<unknown> = Promise.resolve()

  async function restoreKilled(): Promise<boolean> {
    const { supervisor, holder, uplink } = record
    const processes = [supervisor, holder, ...(uplink ? [uplink] : [])]
    const alive = await Promise.all(processes.map(isAlive))
    if (!alive.includes(false)) return false
    await endProcesses(record)
    record = await launchAndRecord(options, namespaces)
    return true
  }

  /** Each call looks again: an earlier one may have read the states before a process was killed. */
  function restore(): Promise<boolean> {
    const restoring = restored.then(restoreKilled)
    restored = restoring.catch(() => undefined)
    return restoring
  }

  return {
    hasUplink: programs.slirp !== null,
    get own() {
      return `/proc/${record.holder.pid}/ns/net`
    },
    namespaceFile: (name) => `/proc/${record.holder.pid}/root/run/netns/${name}`,
    enter: (file) => {
      const user = [`--target=${record.holder.pid}`, '--user', '--preserve-credentials']
      return [programs.nsenter, ...(isRoot ? [] : user), `--net=${file}`, '--']
    },
    run: async (script, stdin) => {
      await restore()
      // The holder may be killed before the command enters. The open files stay.
      const command = [...enterNamespaces(programs.nsenter, namespaces, isRoot), '--']
      return runScript([...command, '/bin/sh', '-c', script], stdin)
    },
    restore,
    stop: async () => {
      await endProcesses(record)
      await closeNamespaces(namespaces)
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The supervisor leads the group of all processes. */
async function endProcesses({ supervisor, holder, uplink }: RouterProcesses): Promise<void> {
  for (const one of [supervisor, holder, uplink ?? null]) {
    // The kernel gives no new process the id of a group that has members.
    if (await isAlive(one)) sendSignal(-supervisor.pid, 'SIGKILL')
    while (await isAlive(one)) await sleep(POLL_MS)
  }
}

function recordFile(directory: string): string {
  return path.join(directory, 'router.json')
}
