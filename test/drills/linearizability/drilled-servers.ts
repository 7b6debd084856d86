import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { must } from '../../../src/lib/assert.ts'
import { type Program, startProgram } from '../../process/program.ts'
import { createDebianCluster } from '../../storage/debian-postgres.ts'
import { freePort } from '../../support/free-port.ts'
import { Skipped } from '../drill.ts'

/** Two servers of one PostgreSQL, one of them with two workers. */
export interface DrilledServers extends AsyncDisposable {
  readonly origins: readonly string[]
  /** The faults by name. Each resolves when the killed process has been replaced. */
  readonly faults: Readonly<Record<string, () => Promise<void>>>
}

/** Starts them with clusters that need no adapters. */
export async function startDrilledServers(): Promise<DrilledServers> {
  const cluster = await createDebianCluster()
  if (cluster === null) throw new Skipped('no PostgreSQL 15 of Debian')
  let postgres = await cluster.start('data')
  const env = {
    DATABASE_URL: postgres.url,
    HYPERFLEET_CLUSTER_ADAPTERS: '[]',
    LOG_LEVEL: 'fatal',
    STATEMENT_TIMEOUT_MS: '5000',
  }
  const ports = [await freePort(), await freePort()]
  const start = async (index: number): Promise<Program> => {
    const workers = index === 0 ? '2' : '0'
    const healthPort = await freePort()
    const program = startProgram({
      ...env,
      PORT: String(ports[index]),
      HEALTH_PORT: String(healthPort),
      WORKERS: workers,
    })
    await untilReady(healthPort, program)
    return program
  }
  const servers = [await start(0), await start(1)]
  return {
    origins: ports.map((port) => `http://127.0.0.1:${port}`),
    faults: {
      'a worker': async () => {
        const [worker] = workersOf(must(servers[0], 'a server').pid)
        if (worker !== undefined) process.kill(worker, 'SIGKILL')
        await sleep(1000)
      },
      'a server': async () => {
        const server = must(servers[1], 'a server')
        server.kill('SIGKILL')
        await server.exited
        servers[1] = await start(1)
      },
      'the primary': async () => {
        process.kill(postgres.pid, 'SIGKILL')
        await sleep(200)
        postgres = await cluster.start('data')
      },
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
      await postgres.stop()
      await cluster[Symbol.asyncDispose]()
    },
  }
}

async function untilReady(healthPort: number, program: Program): Promise<void> {
  const ended = program.exited.then(() => {
    throw new Error(`a server ended: ${program.errors()}`)
  })
  const isReady = async (): Promise<boolean> => {
    const response = await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => null)
    return response?.status === 200
  }
  while (!(await Promise.race([isReady(), ended]))) await sleep(50)
  // A kill must not be an unhandled rejection.
  ended.catch(() => undefined)
}

/** The processes of a server except its supervisor, the latest last. */
function workersOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return children.split(' ').filter(Boolean).map(Number)
}
