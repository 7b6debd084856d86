import { chmod, mkdir, realpath } from 'node:fs/promises'
import path from 'node:path'
import type { Logger } from 'pino'
import { sendSignalIfOwn } from 'flotilla/programs'
import type { SandboxConfig } from '../sandbox-settings.ts'
import type { InstallationSource } from '../drivers/protocol/installation-source.ts'
import { connectRuntime, type RuntimeConnection } from '../drivers/protocol/connect-runtime.ts'
import { isAlive, type ProcessIdentity } from '../drivers/runtime/machine/process-identity.ts'
import { socketPath } from '../drivers/runtime/socket-path.ts'
import { askRefusal, launchSandboxd } from './launch-sandboxd.ts'
import { findManaged, stopManaged, wasKilled } from './managed-sandboxd.ts'
import { sandboxdDirectory } from './sandboxd-config.ts'
import { superviseSandboxd } from './supervise-sandboxd.ts'

interface Options {
  readonly config: SandboxConfig
  readonly log: Logger
  readonly installation: InstallationSource
  /** Aborted when the server stops. */
  readonly signal: AbortSignal
}

/** The sandboxd of this machine. Disposal stops it, unless it was started by hand. */
export interface LocalSandboxd extends AsyncDisposable {
  readonly endpoint: string
  readonly connection: RuntimeConnection
}

/**
 * Starts `flotilla sandboxd` as a separate process, which survives a crash of this one, or finds the
 * one that an earlier server or a user has started. Unless a user has started it, it is started
 * again when it ends, and then finds its workloads.
 */
export async function startLocalSandboxd(options: Options): Promise<LocalSandboxd> {
  const { config, log, signal, installation } = options
  const directory = await createDirectory(config)
  const endpoint = `unix:${socketPath(directory)}`
  const connection = connectRuntime(endpoint, { installation })
  const place = { config, directory, connection, logFile: path.join(directory, 'sandboxd.log') }
  const refusal = await askRefusal(connection)
  let managed: ProcessIdentity | null = null
  // A second signal ends this process without the disposal.
  const kill = (): void => {
    if (signal.aborted && managed !== null) sendSignalIfOwn(managed.pid, 'SIGKILL')
  }
  process.on('exit', kill)
  const start = (): Promise<void> => launchSandboxd(place, (launched) => (managed = launched))
  const end = async (): Promise<void> => {
    connection[Symbol.dispose]()
    if (managed !== null) await stopManaged(managed)
    process.off('exit', kill)
  }
  try {
    if (refusal === null) await start()
    else if (refusal === '') managed = await findManaged(directory)
    else log.warn({ endpoint, refusal }, 'sandboxd belongs to another installation')
    const report = { endpoint, pid: managed?.pid ?? null, log_file: place.logFile }
    log.info(report, refusal === null ? 'started sandboxd' : 'found sandboxd')
  } catch (error) {
    await end()
    throw error
  }
  if (managed === null) return { endpoint, connection, [Symbol.asyncDispose]: end }
  const stop = async (): Promise<void> => {
    if (managed !== null) await stopManaged(managed)
    if (config.sandboxdKeepWorkloads || !(await wasKilled(directory))) return
    // Only a runtime can end the workloads of one that was killed.
    await start().catch((error: unknown) => log.error({ err: error }, LEFT))
  }
  const supervision = superviseManaged(options, { directory, current: () => managed, start })
  return {
    endpoint,
    connection,
    [Symbol.asyncDispose]: async () => {
      await supervision[Symbol.asyncDispose]()
      // Another installation has taken over after a pause of this server.
      if (await askRefusal(connection)) managed = null
      else await stop()
      await end()
    },
  }
}

const LEFT = 'sandboxd has ended and cannot be started again to end its workloads'

interface Supervised {
  readonly directory: string
  readonly current: () => ProcessIdentity | null
  readonly start: () => Promise<void>
}

function superviseManaged(
  { config, log, signal }: Options,
  { directory, current, start }: Supervised,
): AsyncDisposable {
  const isCurrent = async (): Promise<boolean> => {
    const managed = current()
    return (await isAlive(managed)) && (await findManaged(directory))?.pid === managed?.pid
  }
  return superviseSandboxd({
    isAlive: async () => signal.aborted || (await isCurrent()),
    restart: async () => {
      const previous = current()
      // No client reaches a runtime whose directory was removed.
      if (previous !== null) await stopManaged(previous)
      await createDirectory(config)
      await start()
      log.warn(
        { pid: current()?.pid },
        'sandboxd had ended or lost its directory; started it again',
      )
    },
    onError: (error) => log.error({ err: error }, 'sandboxd has ended and cannot be started again'),
  })
}

/** The real path of the directory, which the path of the socket depends on. */
async function createDirectory(config: SandboxConfig): Promise<string> {
  const directory = sandboxdDirectory(config)
  const created = await mkdir(directory, { recursive: true })
  // Root's workloads run as other users.
  if (created !== undefined) await chmod(directory, process.getuid?.() === 0 ? 0o711 : 0o700)
  return realpath(directory)
}
