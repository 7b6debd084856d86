import { CommanderError } from 'commander'
import { CliError } from '../errors/cli-error.ts'
import { ExitWith } from '../errors/exit-with.ts'
import { EXIT } from '../errors/exit-codes.ts'
import { reportError } from '../errors/report-error.ts'
import type { Runtime } from '../session/runtime.ts'
import { commandWord } from './command-word.ts'
import { runProgram } from './run-program.ts'

/** Runs the command with its arguments. Returns the exit code. */
export async function runCommand(
  args: readonly string[],
  version: string,
  runtime: Runtime,
): Promise<number> {
  const verbose = args.includes('-v') || args.includes('--verbose')
  try {
    await runProgram(args, version, runtime)
    return runtime.signal.aborted ? EXIT.interrupted : EXIT.done
  } catch (error) {
    if (runtime.signal.aborted) return EXIT.interrupted
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done
    if (error instanceof ExitWith) return error.code
    if (error instanceof CommanderError && error.code === SHOWED_HELP) return EXIT.usage
    const failure = error instanceof CommanderError ? usageError(error, args) : error
    return reportError(failure, { err: runtime.err, verbose })
  }
}

/** The code of a command without its subcommand: the help of the command was printed. */
const SHOWED_HELP = 'commander.help'

/** The failure of the parser, whose message may contain a suggestion in parentheses. */
function usageError({ message }: CommanderError, args: readonly string[]): CliError {
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n')
  const command = args[commandWord(args)]
  const help = command === undefined ? 'flotilla --help' : `flotilla help ${command}`
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? `'${help}' shows the usage.`
  return new CliError(first, { exit: 'usage', hint })
}
