import { rm } from 'node:fs/promises'
import path from 'node:path'
import {
  closeInheritedDescriptors,
  ConfigError,
  openLog,
  programEnvironment,
  SettingError,
  stopSignals,
} from 'flotilla/programs'
import { MANAGED_ARGUMENT, managedFile } from './managed-sandboxd.ts'
import { registerSandboxd } from './register-sandboxd.ts'
import { readSandboxdConfig, sandboxdHelp, sandboxdWarnings } from './sandboxd-config.ts'
import { type Sandboxd, startSandboxd } from './start-sandboxd.ts'

/** Time without a call after which a runtime ends whose server has died. */
const ABANDONED_MS = 10 * 60_000
const CHECK_MS = 15_000

/**
 * Runs `flotilla sandboxd` until SIGTERM or SIGINT; ends the process. A runtime that a server has
 * started ends its workloads too. A runtime that was started by hand leaves them running, and finds
 * them again when it starts.
 */
export async function runSandboxd(words: readonly string[]): Promise<void> {
  closeInheritedDescriptors()
  if (words.includes('--help') || words.includes('-h')) {
    process.stdout.write(sandboxdHelp())
    return
  }
  const isManaged = words.includes(MANAGED_ARGUMENT)
  const unknown = words.find((word) => word !== MANAGED_ARGUMENT)
  if (unknown !== undefined) {
    console.error(`unknown argument '${unknown}': settings are environment variables, see --help`)
    process.exit(2)
  }
  try {
    await serve(isManaged)
  } catch (error) {
    const isExplained = error instanceof ConfigError || error instanceof SettingError
    console.error(isExplained ? error.message : error)
    process.exit(1)
  }
}

async function serve(isManaged: boolean): Promise<void> {
  const environment = programEnvironment()
  const config = readSandboxdConfig(environment)
  const { log, flush } = await openLog(config)
  for (const warning of sandboxdWarnings(environment)) log.warn(warning)
  const signals = stopSignals()
  const sandboxd = await startSandboxd(config, { log, isManaged })
  log.info({ id: sandboxd.id, endpoints: sandboxd.endpoints }, 'sandboxd is ready')
  const registration = await registerSandboxd(sandboxd, config, log)
  const timer = isManaged ? stopWhenAbandoned(sandboxd, signals.stop) : null
  const reason = await signals.received
  if (timer !== null) clearInterval(timer)
  log.info({ reason, directory: path.resolve(config.directory) }, 'sandboxd is shutting down')
  await registration?.[Symbol.asyncDispose]()
  if (isManaged && !config.sandboxdKeepWorkloads) await sandboxd.terminateWorkloads()
  await sandboxd[Symbol.asyncDispose]()
  if (isManaged) await rm(managedFile(config.directory), { force: true })
  log.info('sandboxd has stopped')
  await flush()
  process.exit(0)
}

function stopWhenAbandoned(sandboxd: Sandboxd, stop: (reason: string) => void): NodeJS.Timeout {
  return setInterval(() => {
    if (sandboxd.idleMs() > ABANDONED_MS) stop('no server has called for 10 minutes')
  }, CHECK_MS)
}
