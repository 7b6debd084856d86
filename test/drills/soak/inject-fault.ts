import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../../../src/lib/assert.ts'
import { runTool } from '../run-tool.ts'
import type { Fault, FaultName } from './fault-schedule.ts'
import { signal } from './fault-target.ts'
import { POSTGRES_PORT, type SoakedPostgres } from './soaked-postgres.ts'
import type { SoakedServer, SoakedServers } from './soaked-servers.ts'

/** The flush of each commit takes this long on a slow disk. PostgreSQL allows no more. */
const FLUSH_MICROSECONDS = 100_000
const MAX_STEP_SECONDS = 86_400
const TOOL_MS = 10_000

export interface Machines {
  readonly postgres: SoakedPostgres
  readonly servers: SoakedServers
}

type Injection = (machines: Machines, fault: Fault) => Promise<void>

/** Each function injects a fault and ends it. */
const INJECTIONS: Record<FaultName, Injection> = {
  'kill server': async ({ servers }, { server }) => {
    signal(serverOf(servers, server).pid(), 'SIGKILL')
  },
  'pause server': async ({ servers }, { server, durationMs }) => {
    const pid = serverOf(servers, server).pid()
    await pause(pid === null ? [] : [pid], durationMs)
  },
  'partition server': ({ servers }, { server, durationMs }) =>
    partition(serverOf(servers, server).databaseHost, durationMs),
  'partition database': ({ servers }, { durationMs }) => {
    const hosts = servers.servers.map(({ databaseHost }) => databaseHost)
    return partition(hosts.join(', '), durationMs)
  },
  'step clock': async ({ servers }, { server, choice }) => {
    await serverOf(servers, server).stepClock(Math.round((2 * choice - 1) * MAX_STEP_SECONDS))
  },
  'kill backend': async ({ postgres }, { choice }) => {
    signal(await chooseBackend(postgres, choice), 'SIGKILL')
  },
  'pause backend': async ({ postgres }, { choice, durationMs }) => {
    const pid = await chooseBackend(postgres, choice)
    await pause(pid === null ? [] : [pid], durationMs)
  },
  'kill postgres': async ({ postgres }) => signal(postgres.pid(), 'SIGKILL'),
  'pause postgres': async ({ postgres }, { durationMs }) =>
    pause(await postgres.processes(), durationMs),
  'slow disk': async ({ postgres }, { durationMs }) => {
    await untilDone(() => postgres.setFlushDelay(FLUSH_MICROSECONDS))
    await sleep(durationMs)
    await untilDone(() => postgres.setFlushDelay(0))
  },
  'full disk': async ({ postgres }, { durationMs }) => {
    await postgres.fillDisk()
    await sleep(durationMs)
    await postgres.freeDisk()
  },
}

export function injectFault(machines: Machines, fault: Fault): Promise<void> {
  return INJECTIONS[fault.name](machines, fault)
}

function serverOf({ servers }: SoakedServers, index: number): SoakedServer {
  return must(servers[index], 'a server')
}

async function pause(pids: readonly number[], durationMs: number): Promise<void> {
  for (const pid of pids) signal(pid, 'SIGSTOP')
  await sleep(durationMs)
  for (const pid of pids) signal(pid, 'SIGCONT')
}

async function chooseBackend(postgres: SoakedPostgres, choice: number): Promise<number | null> {
  const backends = await postgres.backends()
  return backends[Math.floor(choice * backends.length)] ?? null
}

/** Drops the packets between these addresses and PostgreSQL, in both directions. */
async function partition(hosts: string, durationMs: number): Promise<void> {
  const table = `cut${Math.random().toString(36).slice(2)}`
  await nft(
    `add table ip ${table}
     add chain ip ${table} input { type filter hook input priority 0; }
     add rule ip ${table} input ip daddr { ${hosts} } tcp dport ${POSTGRES_PORT} drop
     add rule ip ${table} input ip saddr { ${hosts} } tcp sport ${POSTGRES_PORT} drop`,
  )
  await sleep(durationMs)
  await nft(`delete table ip ${table}`)
}

async function nft(commands: string): Promise<void> {
  await runTool('nft', [commands], { cwd: '/', timeoutMs: TOOL_MS })
}

/** Repeats what another fault prevents, such as a statement while PostgreSQL is paused. */
async function untilDone(run: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await run()
      return
    } catch {
      await sleep(200)
    }
  }
}
