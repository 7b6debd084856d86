import type { PlaneClient } from '../../../src/planes/controllers/client/plane-client.ts'
import { createHttpFleetClient } from '../../../src/planes/controllers/client/http/http-fleet-client.ts'
import { type Program, startProgram } from '../../process/program.ts'

const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases' }
const LEASE = { namespace: 'kube-system', name: 'flotilla-controllers' }

/** Two servers of one database, of which one at a time runs the controllers. */
export interface TwoServers extends AsyncDisposable {
  /** A client of any server that is running. */
  readonly client: PlaneClient
  /** The URLs of both servers now. */
  origins(): readonly string[]
  /** The holder of the lease of controllers. */
  holder(): Promise<string>
  /** Kills the server that runs the controllers, and starts another one. */
  killLeader(): Promise<void>
}

interface Server {
  readonly program: Program
  readonly origin: string
}

export async function startTwoServers(env: NodeJS.ProcessEnv): Promise<TwoServers> {
  const start = async (): Promise<Server> => {
    const program = startProgram(env)
    const { port } = await program.ready()
    return { program, origin: `http://127.0.0.1:${port}` }
  }
  // The first one migrates the database.
  const servers = [await start(), await start()]
  const client = createHttpFleetClient({
    get server() {
      return servers[0]?.origin ?? ''
    },
    userAgent: 'drill',
    planes: [],
    onError: () => undefined,
  }).plane('root')
  return {
    client,
    origins: () => servers.map(({ origin }) => origin),
    holder: () => readHolder(client),
    killLeader: async () => {
      const holder = await readHolder(client)
      const index = servers.findIndex(({ program }) => holder.includes(`_${program.pid}_`))
      const [killed] = servers.splice(Math.max(0, index), 1)
      killed?.program.kill('SIGKILL')
      await killed?.program.exited
      servers.push(await start())
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(({ program }) => program[Symbol.asyncDispose]()))
    },
  }
}

async function readHolder(client: PlaneClient): Promise<string> {
  const { spec } = await client.get(LEASES, LEASE)
  return String(Object(spec).holderIdentity)
}
