import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startProgram } from '../../../process/program.ts'

/** A server as `npm start` starts it. */
export interface DefaultServer extends AsyncDisposable {
  readonly origin: string
  readonly healthOrigin: string
  readonly metricsOrigin: string
  /** The log so far. */
  log(): string
}

/**
 * Starts a server with an embedded PostgreSQL, with sandboxes, and without tokens. Only its ports and
 * its directory are not the default.
 */
export async function startDefaultServer(env: NodeJS.ProcessEnv = {}): Promise<DefaultServer> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'flotilla-attacks-'))
  // Programs of tests start without sandboxes, or with the consent to run them.
  const sandboxes = { SANDBOX_RUNTIME: 'local', SANDBOX_UNISOLATED: undefined }
  const program = startProgram({ DATA_DIR: dataDir, ...sandboxes, ...env })
  const stop = async (): Promise<void> => {
    await program[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const { port, healthPort, metricsPort } = await program.ready()
    const originOf = (at: number): string => `http://127.0.0.1:${at}`
    return {
      origin: originOf(port),
      healthOrigin: originOf(healthPort),
      metricsOrigin: originOf(metricsPort),
      log: () => program.output() + program.errors(),
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
