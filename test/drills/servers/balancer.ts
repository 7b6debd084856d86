import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Skipped } from '../drill.ts'

/** The ports of a server behind the balancer. */
export interface Backend {
  readonly port: number
  readonly healthPort: number
}

export type BackendState = 'UP' | 'DOWN'

/** HAProxy with the configuration of `deploy/haproxy`. */
export interface Balancer extends AsyncDisposable {
  readonly origin: string
  /** Waits until the balancer considers the server of this index up or down. */
  until(index: number, state: BackendState): Promise<void>
  /** Sends new requests to other servers, or stops doing so. */
  setDraining(index: number, isDraining: boolean): Promise<void>
}

export const BACKENDS = 4
const CONFIGURATION = fileURLToPath(new URL('../../../deploy/haproxy/haproxy.cfg', import.meta.url))
const SAMPLE_MS = 50
/** On a busy machine a server needs half a minute to start. */
const TIMEOUT_MS = 120_000

export async function startBalancer(port: number, backends: readonly Backend[]): Promise<Balancer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'flotilla-haproxy-'))
  const socket = path.join(folder, 'admin.sock')
  const address = `127.0.0.1:${port}`
  const child = spawn('haproxy', ['-db', '-f', CONFIGURATION], {
    env: {
      ...process.env,
      ADDRESS: address,
      ADMIN_SOCKET: socket,
      ...Object.fromEntries(
        backends.flatMap((backend, index) => [
          [`SERVER_${index + 1}`, `127.0.0.1:${backend.port}`],
          [`HEALTH_${index + 1}`, String(backend.healthPort)],
        ]),
      ),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const errors = text(child.stderr)
  const exited = once(child, 'exit')
  await once(child, 'spawn').catch(() => {
    throw new Skipped('haproxy is not installed')
  })
  const command = (line: string): Promise<string> => sendCommand(socket, line)
  const stateOf = async (index: number): Promise<string> => {
    const rows = (await command('show stat -1 4 -1')).split('\n')
    return rows.find((row) => row.startsWith(`servers,s${index + 1},`))?.split(',')[17] ?? ''
  }
  const isRunning = (): boolean => child.exitCode === null
  const until = async (index: number, state: BackendState): Promise<void> => {
    const end = performance.now() + TIMEOUT_MS
    while (isRunning() && performance.now() < end) {
      const current = await stateOf(index).catch(() => '')
      if (current.startsWith(state)) return
      await sleep(SAMPLE_MS)
    }
    throw new Error(`haproxy does not consider s${index + 1} ${state}: ${await stateOf(index)}`)
  }
  return {
    origin: `http://${address}`,
    until,
    setDraining: async (index, isDraining) => {
      const state = isDraining ? 'drain' : 'ready'
      await command(`set server servers/s${index + 1} state ${state}`)
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await exited
      await errors
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Sends a command to the socket and returns the response. */
async function sendCommand(socket: string, line: string): Promise<string> {
  const connection = connect(socket)
  await once(connection, 'connect')
  connection.write(`${line}\n`)
  return text(connection)
}
