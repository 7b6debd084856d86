import { must } from '../../src/lib/assert.ts'
import { type Client, connectClient } from '../load/client.ts'
import { type FlotillaServer, startFlotillaServer } from '../servers/flotilla-server.ts'
import { ROOT } from '../servers/root.ts'

/** One of two servers, while it runs. */
export interface Member {
  /** 0 or 1; a server that is started again keeps its number. */
  readonly number: number
  readonly origin: string
  readonly client: Client
}

/** Two servers on one database, of which one can be killed and started again. */
export interface ServerPair extends AsyncDisposable {
  readonly kills: number
  /** One of those that run, by chance. */
  any(): Member
  /** The other one, where it runs. */
  otherThan(number: number): Member
  /** Ends one at once, in the middle of whatever it does. */
  kill(number: number): Promise<void>
  restart(number: number): Promise<void>
}

interface Options {
  readonly databaseUrl: string
  readonly fromSource: boolean
  /** Of the client of each. */
  readonly connections: number
}

interface Running extends Member {
  readonly server: FlotillaServer
}

/** Bookmarks are frequent, and watches end by themselves in the middle of a run. */
const SETTINGS = { WATCH_HEARTBEAT: '1s', WATCH_MAX_AGE: '20s' }

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
  // One after the other: the first one migrates the database.
  let running = [await start(0), await start(1)]
  let kills = 0
  const any = (): Member =>
    must(running[Math.floor(Math.random() * running.length)], 'a server that runs')
  return {
    get kills() {
      return kills
    },
    any,
    otherThan: (number) => running.find((member) => member.number !== number) ?? any(),
    kill: async (number) => {
      const killed = must(
        running.find((member) => member.number === number),
        'a server that runs',
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
