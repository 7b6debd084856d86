import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { must } from '../../src/lib/assert.ts'
import { freePort } from '../../test/support/free-port.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** A Flotilla server process, started as in production. */
export interface FlotillaServer extends AsyncDisposable {
  readonly origin: string
  readonly pid: number
}

interface Options {
  /** The directory of the checkout. */
  readonly root: string
  readonly databaseUrl: string
  /** Further settings. SANDBOX_RUNTIME is off unless they contain it. */
  readonly env: Readonly<Record<string, string>>
}

const RESPONSE_TIMEOUT_MS = 30_000
const BUILD = "import { buildIfStale } from './src/tools/build-dist.mjs'; await buildIfStale()"

/** Compiles a checkout if its build is older than its sources. */
export async function buildCheckout(root: string): Promise<void> {
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', BUILD], { cwd: root })
}

/** The program of the server of a checkout. Older checkouts have no src/cmd. */
function programOf(root: string): string {
  return existsSync(path.join(root, 'src/cmd')) ? 'dist/cmd/server.js' : 'dist/server.js'
}

/** Starts a server on free ports. It logs to a file at level info. */
export async function startFlotillaServer(options: Options): Promise<FlotillaServer> {
  const { root, databaseUrl, env } = options
  const directory = temporaryDirectory()
  const logFile = path.join(directory.path, 'server.log')
  const log = openSync(logFile, 'a')
  const { PATH, HOME } = process.env
  // Ports are chosen here because a server with a high log level does not log its address.
  const [port, healthPort, metricsPort] = [await freePort(), await freePort(), await freePort()]
  const own = {
    PORT: String(port),
    HEALTH_PORT: String(healthPort),
    METRICS_PORT: String(metricsPort),
    // Processes of a runtime leave the tree of the server, whose CPU would then appear to shrink.
    SANDBOX_RUNTIME: 'off',
  }
  const child = spawn(process.execPath, [programOf(root)], {
    cwd: root,
    env: { PATH, HOME, ...own, DATABASE_URL: databaseUrl, ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const kill = (): boolean => child.kill('SIGKILL')
  process.once('exit', kill)
  const exited = once(child, 'exit')
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  await untilReady(healthPort, () => {
    if (hasEnded()) throw new Error(`the server did not start:\n${readFileSync(logFile, 'utf8')}`)
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: must(child.pid, 'a process id'),
    [Symbol.asyncDispose]: async () => {
      process.off('exit', kill)
      if (!hasEnded()) {
        child.kill('SIGTERM')
        await exited
      }
      directory[Symbol.dispose]()
    },
  }
}

/** Polls /readyz. `check` throws if the server has exited. */
async function untilReady(healthPort: number, check: () => void): Promise<void> {
  const deadline = Date.now() + RESPONSE_TIMEOUT_MS
  for (;;) {
    check()
    const response = await fetch(`http://127.0.0.1:${healthPort}/readyz`).catch(() => null)
    if (response?.status === 200) return
    if (Date.now() > deadline)
      throw new Error(`the server is not ready after ${RESPONSE_TIMEOUT_MS} ms`)
    await sleep(50)
  }
}
