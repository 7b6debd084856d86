import { must } from '../../src/lib/assert.ts'
import { type Client, connectClient } from '../servers/http-client.ts'
import { type FlotillaServer, startFlotillaServer } from '../servers/flotilla-server.ts'
import { ROOT } from '../servers/root.ts'

/** One of two running servers. */
export interface PairedServer {
  /** 0 or 1. A restarted server keeps its number. */
  readonly number: number
  readonly origin: string
  readonly client: Client
}

/** Two servers on one database. Each can be killed and restarted. */
export interface ServerPair extends AsyncDisposable {
  readonly kills: number
  /** A random running server. */
  any(): PairedServer
  /** The other server if it is running, else the same one. */
  otherThan(number: number): PairedServer
  /** Kills a server with SIGKILL. */
  kill(number: number): Promise<void>
  restart(number: number): Promise<void>
}

interface Options {
  readonly databaseUrl: string
  readonly fromSource: boolean
  /** Connections of the client of each server. */
  readonly connections: number
}

interface Running extends PairedServer {
  readonly server: FlotillaServer
}

/** Frequent bookmarks, and a maximum age that ends watches during the run. */
const SETTINGS = { WATCHES: 'heartbeat=1s,max-age=20s' }

export async function startServerPair(options: Options): Promise<ServerPair> {
  const { connections, ...where } = options
  const start = async (number: number): Promise<Running> => {
    const server = await startFlotillaServer({ ...where, root: ROOT, env: SETTINGS })
    return {
      number,
      origin: server.origin,
      client: connectClient(server.origin, connections),
      server,
    }
  }
  // Sequential, because the first server migrates the database.
  let running = [await start(0), await start(1)]
  let kills = 0
  const any = (): PairedServer =>
    must(running[Math.floor(Math.random() * running.length)], 'a running server')
  return {
    get kills() {
      return kills
    },
    any,
    otherThan: (number) => running.find((member) => member.number !== number) ?? any(),
    kill: async (number) => {
      const killed = must(
        running.find((member) => member.number === number),
        'a running server',
      )
      process.kill(killed.server.pid, 'SIGKILL')
      running = running.filter((member) => member !== killed)
      kills += 1
      await killed.server[Symbol.asyncDispose]()
      await killed.client[Symbol.asyncDispose]()
    },
    restart: async (number) => {
      running = [...running, await start(number)]
    },
    [Symbol.asyncDispose]: async () => {
      for (const { client, server } of running) {
        await client[Symbol.asyncDispose]()
        await server[Symbol.asyncDispose]()
      }
    },
  }
}
