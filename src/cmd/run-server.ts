import { ConfigError } from '../lib/settings/config-error.ts'
import type { Config } from './config.ts'
import { readConfig, settingsOf, settingWarnings } from './settings.ts'
import type { Kind } from '../store/registry/kind.ts'
import { KindsFileError } from '../hyperfleet/configured-kinds/kinds-file-error.ts'
import { kinds as builtInKinds } from '../hyperfleet/kinds/index.ts'
import { openLog } from '../lib/log/open-log.ts'
import { configuredKinds } from './configured-kinds.ts'
import { explainFailure } from './explain-failure.ts'
import { type ProcessOverrides, runProcess } from './run-process.ts'
import { settingsHelp } from '../lib/settings/settings-help.ts'
import { startWhenAvailable } from './start-when-available.ts'
import { welcome } from './welcome.ts'
import { readAssignment } from './workers/assignment.ts'
import { thisMachine, workerCount } from './workers/worker-count.ts'

export interface ServerOptions {
  /** Whether to print first steps on standard error, for people who start the server by hand. */
  readonly banner?: boolean
}

/** Runs the server until a signal stops it, or prints its settings; ends the process. */
export async function runServer(
  words: readonly string[],
  options: ServerOptions = {},
): Promise<void> {
  const unknown = words.filter((word) => word !== '--help' && word !== '-h')
  if (unknown.length > 0) {
    console.error(
      `unknown argument '${unknown[0]}': settings are environment variables, see --help`,
    )
    process.exit(2)
  }
  if (words.length > 0) {
    await printHelp()
    return
  }
  try {
    const kinds = await configuredKinds()
    await serve({ kinds, config: readConfig(kinds) }, options)
  } catch (error) {
    console.error(explainFailure(error))
    if (error instanceof KindsFileError) reportSettings()
    if (error instanceof ConfigError) reportWarnings()
    process.exit(1)
  }
}

function reportWarnings(): void {
  try {
    for (const line of settingWarnings(builtInKinds)) console.error(line)
  } catch {
    // The settings file cannot be read. That is the failure that was printed.
  }
}

/** Prints problems of the other settings too, if the file of kinds is invalid. */
function reportSettings(): void {
  try {
    readConfig(builtInKinds)
  } catch (error) {
    console.error(explainFailure(error))
  }
}

/** The configuration of a process. */
export interface Configuration {
  readonly kinds: readonly Kind[]
  readonly config: Config
}

async function serve(
  { kinds, config }: Configuration,
  { banner = false }: ServerOptions,
): Promise<void> {
  const assignment = readAssignment()
  if (assignment !== null) {
    const { runWorker } = await import('./workers/run-worker.ts')
    return runWorker({ kinds, config }, assignment)
  }
  const openedLog = await openLog(config)
  const { log, writeLines, flush } = openedLog
  for (const line of settingWarnings(kinds)) log.warn(line)
  const count = workerCount(config, thisMachine)
  const start = async (overrides: ProcessOverrides) => {
    if (count === 0) return startWhenAvailable(config, overrides)
    const { startWorkers } = await import('./workers/start-workers.ts')
    return startWorkers(config, { ...overrides, writeLines, count })
  }
  await runProcess({ ...openedLog, kinds, start, level: 'info' }, async (server) => {
    if (!banner) return
    // Flush the log first, so that the banner is the last output on a terminal.
    await flush()
    process.stderr.write(welcome(config, server))
  })
}

/** Includes the settings of configured kinds, unless their file is invalid. */
async function printHelp(): Promise<void> {
  process.stdout.on('error', () => undefined)
  try {
    process.stdout.write(help(await configuredKinds()))
  } catch (error) {
    process.stdout.write(help(builtInKinds))
    console.error(explainFailure(error))
    process.exitCode = 1
  }
}

const SUMMARY =
  "Flotilla serves the HyperFleet API v1. The argument 'sandboxd' runs the workloads of sandboxes\n" +
  'on this machine instead.'

const help = (kinds: readonly Kind[]): string => settingsHelp(SUMMARY, settingsOf(kinds))
