import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Client } from '../../../../clients/typescript/src/index.ts'
import { type Program, startProgram } from '../../../process/program.ts'
import { freePort } from '../../../support/free-port.ts'

/** A server with the built console, in a process that can be killed. */
export interface ConsoleServer extends AsyncDisposable {
  /** It stays the same after a restart. */
  readonly origin: string
  readonly pid: number
  readonly client: Client
  /** Ends the process with SIGKILL. */
  kill(): Promise<void>
  /** Starts the process again, on the same port. */
  start(): Promise<void>
}

interface Options {
  readonly databaseUrl: string
  readonly env?: NodeJS.ProcessEnv
  /** The bearer token of `client`. */
  readonly token?: string
}

/** Starts a server with controllers and sandboxes on free ports. */
export async function startConsoleServer(options: Options): Promise<ConsoleServer> {
  const { databaseUrl, token } = options
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-console-'))
  const env = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    ROLE: 'all',
    SANDBOX_RUNTIME: 'local',
    LOG_LEVEL: 'info',
    ...options.env,
  }
  // Not a port that another server of the process may get when it starts again.
  const port = await freePort()
  const start = (): Program => startProgram({ ...env, PORT: String(port) })
  let program = start()
  await program.ready()
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    get pid() {
      return program.pid
    },
    client: new Client(origin, { token }),
    kill: async () => {
      program.kill('SIGKILL')
      await program.exited
    },
    start: async () => {
      program = start()
      await program.ready()
    },
    [Symbol.asyncDispose]: async () => {
      await program[Symbol.asyncDispose]()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
