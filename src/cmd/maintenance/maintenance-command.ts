import os from 'node:os'
import { parseArgs } from 'node:util'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { readConfig } from '../settings.ts'
import type { Kind } from '../../store/registry/kind.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { openLog } from '../../lib/log/open-log.ts'
import { configuredKinds } from '../configured-kinds.ts'
import { explainFailure } from '../explain-failure.ts'

/** A command that works on the database of the settings and ends. */
export interface MaintenanceCommand {
  readonly name: string
  /** The text that `--help` prints. */
  readonly help: string
  /** The names of the flags, without `--`. */
  readonly flags?: readonly string[]
  /** The names of the flags with a value, without `--`. */
  readonly options?: readonly string[]
  /** Whether the command takes one argument, FILE. */
  readonly file?: 'optional' | 'required'
  /** Whether the command reads any number of arguments itself. */
  readonly takesWords?: true
  /** Runs the command. Returns its exit code. */
  readonly run: (context: MaintenanceContext) => Promise<number>
}

/** The arguments and settings of a command. */
export interface MaintenanceContext {
  /** The argument FILE; null if it is absent. */
  readonly file: string | null
  /** All arguments that are not flags. */
  readonly words: readonly string[]
  /** The flags that are set. */
  readonly flags: ReadonlySet<string>
  /** The values of the flags that have one. */
  readonly values: ReadonlyMap<string, string>
  readonly config: Config
  readonly kinds: readonly Kind[]
  /** Logs warnings and errors only. */
  readonly log: Logger
}

type Arguments = Pick<MaintenanceContext, 'file' | 'words' | 'flags' | 'values'>

/** Runs a command with its arguments, prints the reason if it fails, and ends the process. */
export async function runMaintenance(
  command: MaintenanceCommand,
  words: readonly string[],
): Promise<void> {
  const given = readArguments(command, words)
  if (given.flags.has('help')) {
    process.stdout.write(command.help)
    return
  }
  if (command.file === 'required' && given.file === null) failUsage(command, 'FILE is missing')
  exitOnSignals()
  let code = 1
  try {
    code = await runWithSettings(command, given)
  } catch (error) {
    console.error(`flotilla ${command.name}: ${explainFailure(error)}`)
  }
  process.exit(code)
}

/** Runs the `exit` listeners, which stop the embedded PostgreSQL and remove unfinished files. */
function exitOnSignals(): void {
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => process.exit(128 + os.constants.signals[name]))
  }
}

async function runWithSettings(command: MaintenanceCommand, given: Arguments): Promise<number> {
  const kinds = await configuredKinds()
  const config = readConfig(kinds)
  const { log, flush } = await openLog({ ...config, logLevel: 'warn' })
  try {
    return await command.run({ ...given, config, kinds, log })
  } finally {
    await flush()
  }
}

function readArguments(command: MaintenanceCommand, words: readonly string[]): Arguments {
  const { flags = [], options = [], file } = command
  try {
    const { values, positionals } = parseArgs({
      args: [...words],
      options: {
        help: { type: 'boolean', short: 'h' },
        ...Object.fromEntries(flags.map((name) => [name, { type: 'boolean' } as const])),
        ...Object.fromEntries(options.map((name) => [name, { type: 'string' } as const])),
      },
      allowPositionals: true,
    })
    const unexpected = positionals[file === undefined ? 0 : 1]
    if (command.takesWords !== true && unexpected !== undefined)
      failUsage(command, `unexpected argument '${unexpected}'`)
    const entries: readonly [string, unknown][] = Object.entries(values)
    return {
      file: positionals[0] ?? null,
      words: positionals,
      flags: new Set(Object.keys(values)),
      values: new Map(entries.filter(isText)),
    }
  } catch (error) {
    return failUsage(command, errorMessage(error))
  }
}

function isText(entry: [string, unknown]): entry is [string, string] {
  return typeof entry[1] === 'string'
}

/** Ends the process with a usage error. */
export function failUsage({ name }: Pick<MaintenanceCommand, 'name'>, problem: string): never {
  console.error(`flotilla ${name}: ${problem}. See flotilla ${name} --help`)
  process.exit(2)
}
