import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { hasEnded, isClaimed } from 'flotilla/programs'
import type { SandboxConfig } from '../sandbox-settings.ts'
import type { RuntimeConnection } from '../drivers/protocol/connect-runtime.ts'
import {
  identifyProcess,
  type ProcessIdentity,
} from '../drivers/runtime/machine/process-identity.ts'
import { findManaged, MANAGED_ARGUMENT, stopManaged } from './managed-sandboxd.ts'
import { sandboxdEnvironment } from './sandboxd-environment.ts'

const START_TIMEOUT_MS = 60_000
const PROBE_TIMEOUT_MS = 2000
const POLL_MS = 50
const LOG_TAIL = 2000

interface Place {
  readonly config: SandboxConfig
  readonly directory: string
  readonly connection: RuntimeConnection
  readonly logFile: string
}

/**
 * Starts a sandboxd and waits until it answers. Passes on its process before it is ready, and again
 * if it found another one that an earlier server has started. It has ended if this fails.
 */
export async function launchSandboxd(
  place: Place,
  onLaunch: (launched: ProcessIdentity | null) => void,
): Promise<void> {
  const child = await spawnSandboxd(place)
  const launched = child.pid === undefined ? null : await identifyProcess(child.pid)
  onLaunch(launched)
  try {
    await untilReady(place, child)
    if (hasEnded(child)) onLaunch(await findManaged(place.directory))
  } catch (error) {
    if (launched !== null) await stopManaged(launched)
    throw error
  }
}

/**
 * Why a runtime rejects calls of this installation; empty if it serves them, and null if it does not
 * answer.
 */
export async function askRefusal({ runtime }: RuntimeConnection): Promise<string | null> {
  return runtime.getRuntimeInfo({}, { timeoutMs: PROBE_TIMEOUT_MS }).then(
    ({ refusal }) => refusal,
    () => null,
  )
}

async function spawnSandboxd({ config, directory, logFile }: Place) {
  const output = await open(logFile, 'a', 0o600)
  try {
    const child = spawn(process.execPath, [...program(), 'sandboxd', MANAGED_ARGUMENT], {
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
      env: sandboxdEnvironment(config, directory),
    })
    await once(child, 'spawn')
    child.unref()
    return child
  } finally {
    await output.close()
  }
}

/** Runs the entry of this program, which is TypeScript in development. */
function program(): readonly string[] {
  const isSource = import.meta.url.endsWith('.ts')
  const entry = fileURLToPath(
    new URL(isSource ? '../../cmd/server.ts' : '../../cmd/server.js', import.meta.url),
  )
  return isSource ? ['--import', 'tsx', entry] : [entry]
}

/** Another runtime owns the directory if a server was killed while it started one. */
async function untilReady(
  { directory, connection, logFile }: Place,
  child: Awaited<ReturnType<typeof spawnSandboxd>>,
): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS
  while ((await askRefusal(connection)) === null) {
    const isLost = hasEnded(child) && !(await isClaimed(directory))
    if (isLost || performance.now() > deadline) {
      const tail = (await readFile(logFile, 'utf8')).slice(-LOG_TAIL).trim()
      throw new Error(`sandboxd ${isLost ? 'ended' : 'does not answer'}: ${tail}`)
    }
    await sleep(POLL_MS)
  }
}
