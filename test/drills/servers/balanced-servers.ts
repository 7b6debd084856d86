import { type Program, startNode } from '../../process/program.ts'
import { serverProgram } from '../../support/server-program.ts'
import { must } from '../../../src/lib/assert.ts'
import { type Backend, BACKENDS, type Balancer, startBalancer } from './balancer.ts'
import { freePort } from '../../support/free-port.ts'

/** The program of a server: arguments of Node, relative to the folder of a version. */
export interface ServerVersion {
  readonly args: readonly string[]
  /** The folder to run in; this version by default. */
  readonly cwd?: string
}

/** Servers of one database behind one address. */
export interface BalancedServers extends AsyncDisposable {
  readonly balancer: Balancer
  readonly programs: readonly Program[]
  /** Kills a server and starts it again. */
  kill(index: number): Promise<void>
  /** Stops a server in order, and starts it again. */
  restart(index: number): Promise<void>
  /**
   * Removes a server from the balancer, stops it, and starts one of another version in its place.
   * Versions without SHUTDOWN_DELAY_MS must be removed first.
   */
  replace(index: number, version: ServerVersion): Promise<void>
}

interface Options {
  readonly env: NodeJS.ProcessEnv
  readonly version?: ServerVersion
}

/** The version of this repository. */
export function thisVersion(): ServerVersion {
  return { args: serverProgram() }
}

/** Starts four servers behind HAProxy, and waits until it considers all of them up. */
export async function startBalancedServers({
  env,
  version = thisVersion(),
}: Options): Promise<BalancedServers> {
  const backends: readonly Backend[] = await Promise.all(
    Array.from({ length: BACKENDS }, async () => ({
      port: await freePort(),
      healthPort: await freePort(),
    })),
  )
  const balancer = await startBalancer(await freePort(), backends)
  const programs: Program[] = []
  const start = async (index: number, { args, cwd }: ServerVersion): Promise<void> => {
    const { port, healthPort } = must(backends[index], 'a backend')
    const fixed = { PORT: String(port), HEALTH_PORT: String(healthPort) }
    const program = startNode(args, { ...env, ...fixed }, cwd)
    programs[index] = program
    await program.ready()
    await balancer.until(index, 'UP')
  }
  const stop = async (index: number): Promise<void> => {
    const program = must(programs[index], 'a server')
    program.kill('SIGTERM')
    const code = await program.exited
    if (code !== 0) throw new Error(`the server exited with ${code}: ${program.errors()}`)
  }
  // The first one migrates the database.
  for (let index = 0; index < BACKENDS; index += 1) await start(index, version)
  return {
    balancer,
    programs,
    kill: async (index) => {
      const program = must(programs[index], 'a server')
      program.kill('SIGKILL')
      await program.exited
      await start(index, version)
    },
    restart: async (index) => {
      await stop(index)
      await start(index, version)
    },
    replace: async (index, next) => {
      await balancer.setDraining(index, true)
      await stop(index)
      await balancer.setDraining(index, false)
      await start(index, next)
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(programs.map((program) => program[Symbol.asyncDispose]()))
      await balancer[Symbol.asyncDispose]()
    },
  }
}
