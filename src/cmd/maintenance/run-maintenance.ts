import type { Logger } from 'pino'
import { kinds as builtInKinds } from '../../apis/hyperfleet/kinds/index.ts'
import { type Config, readConfig } from '../../config/settings.ts'
import { openLog } from '../../lib/log/open-log.ts'
import { explainFailure } from '../explain-failure.ts'

/** A command that works on the database of the settings and ends. */
export interface MaintenanceCommand {
  readonly name: string
  /** Runs the command. Returns its exit code. */
  readonly run: (config: Config, log: Logger) => Promise<number>
}

/** Runs a command, prints the reason if it fails, and ends the process. */
export async function runMaintenance({ name, run }: MaintenanceCommand): Promise<void> {
  let code = 1
  try {
    const config = readConfig(builtInKinds)
    const { log, flush } = await openLog({ ...config, logLevel: 'warn' })
    try {
      code = await run(config, log)
    } finally {
      await flush()
    }
  } catch (error) {
    console.error(`flotilla ${name}: ${explainFailure(error)}`)
  }
  process.exit(code)
}

/** Ends the process with a usage error. */
export function failUsage(name: string, problem: string): never {
  console.error(`flotilla ${name}: ${problem}. See flotilla ${name} --help`)
  process.exit(2)
}
