import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Program, startNode } from '../../process/program.ts'
import { serverProgram } from '../../support/server-program.ts'
import { type Backend, BACKENDS, type Balancer, startBalancer } from '../servers/balancer.ts'
import { freePort } from '../../support/free-port.ts'
import { SERVER_SETTINGS } from '../servers/rolling-restart.ts'
import { type FaultTarget, signal } from './fault-target.ts'
import { POSTGRES_PORT } from './soaked-postgres.ts'

/** libfaketime of Debian, if it is installed. */
const FAKETIME = readdirSync('/usr/lib')
  .map((folder) => `/usr/lib/${folder}/faketime/libfaketime.so.1`)
  .find((file) => existsSync(file))
const RECORD_LIVE_MEMORY = fileURLToPath(new URL('record-live-memory.mjs', import.meta.url))
const RESTART_MS = 500
const MIB = 1024 * 1024

/** Memory of a server in MiB. */
export interface Memory {
  /** That its process occupies, with garbage. */
  readonly resident: number
  /** That was in use after the last full garbage collection; null before the first one. */
  readonly live: number | null
}

export interface SoakedServer extends FaultTarget {
  /** The address at which it reaches the database, for a partition. */
  readonly databaseHost: string
  /** Moves its clock, but not the time that timers use. Needs libfaketime. */
  stepClock(seconds: number): Promise<void>
  /** Null while it does not run. */
  memory(): Promise<Memory | null>
}

export interface SoakedServers extends AsyncDisposable {
  readonly balancer: Balancer
  readonly servers: readonly SoakedServer[]
  /** Whether libfaketime is installed. */
  readonly canStepClocks: boolean
  /** Ends of a process that no fault explains. */
  readonly crashes: readonly string[]
}

/** Starts four servers behind HAProxy. A supervisor starts each one again when it ends. */
export async function startSoakedServers(folder: string): Promise<SoakedServers> {
  const backends: readonly Backend[] = await Promise.all(
    Array.from({ length: BACKENDS }, async () => ({
      port: await freePort(),
      healthPort: await freePort(),
    })),
  )
  const balancer = await startBalancer(await freePort(), backends)
  const crashes: string[] = []
  const servers: SoakedServer[] = []
  for (const [index, backend] of backends.entries()) {
    const until = (): Promise<void> => balancer.until(index, 'UP')
    const started = startServer({ index, backend, folder, crashes, until })
    servers.push(
      await started.catch((cause: unknown) => {
        throw new Error(`a server does not start: ${crashes.join('\n')}`, { cause })
      }),
    )
  }
  return {
    balancer,
    servers,
    canStepClocks: FAKETIME !== undefined,
    crashes,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
      await balancer[Symbol.asyncDispose]()
    },
  }
}

interface Options {
  readonly index: number
  readonly backend: Backend
  /** For the file with the offset of its clock. */
  readonly folder: string
  readonly crashes: string[]
  readonly until: () => Promise<void>
}

async function startServer(options: Options): Promise<SoakedServer> {
  const { index, backend, folder, crashes, until } = options
  const databaseHost = `127.0.1.${index + 1}`
  const clock = path.join(folder, `clock-${index}`)
  await writeFile(clock, '+0\n')
  const liveMemory = path.join(folder, `live-memory-${index}`)
  const env = {
    ...SERVER_SETTINGS,
    PORT: String(backend.port),
    HEALTH_PORT: String(backend.healthPort),
    DATABASE_URL: `postgresql://flotilla@${databaseHost}:${POSTGRES_PORT}/postgres`,
    STATEMENT_TIMEOUT_MS: '5000',
    // Small enough to fill up before the memory is measured.
    CACHE_BYTES: String(16 * MIB),
    FEED_RETENTION_CHANGES: '20000',
    LOG_LEVEL: 'warn',
    LIVE_MEMORY_FILE: liveMemory,
    ...(FAKETIME !== undefined && {
      LD_PRELOAD: FAKETIME,
      FAKETIME_TIMESTAMP_FILE: clock,
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    }),
  }
  const stopped = new AbortController()
  let program: Program | null = null
  const supervise = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      program = startNode(['--import', RECORD_LIVE_MEMORY, ...serverProgram()], env)
      const [code, killedBy] = await Promise.all([program.exited, program.signalled])
      if (!stopped.signal.aborted && killedBy !== 'SIGKILL') {
        crashes.push(`server ${index + 1}: ${code ?? killedBy}\n${program.errors().slice(-2000)}`)
      }
      program = null
      await sleep(RESTART_MS)
    }
  }
  const supervised = supervise()
  await until()
  return {
    databaseHost,
    pid: () => program?.pid ?? null,
    ready: until,
    stepClock: async (seconds) => {
      await writeFile(clock, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    },
    memory: async () => {
      const status = await readFile(`/proc/${program?.pid}/status`, 'utf8').catch(() => '')
      const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1]
      if (kilobytes === undefined) return null
      const live = await readFile(liveMemory, 'utf8').catch(() => '')
      return { resident: Number(kilobytes) / 1024, live: live === '' ? null : Number(live) / MIB }
    },
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      signal(program?.pid ?? null, 'SIGTERM')
      await supervised
    },
  }
}
