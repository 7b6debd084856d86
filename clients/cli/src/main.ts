import { CommanderError } from 'commander'
import { CliError } from './errors/cli-error.ts'
import { ExitWith } from './errors/exit-with.ts'
import { EXIT } from './errors/exit-codes.ts'
import { reportError } from './errors/report-error.ts'
import { commandWord } from './program/command-word.ts'
import { runProgram } from './program/run-program.ts'
import { processRuntime } from './session/process-runtime.ts'
import type { Runtime } from './session/runtime.ts'

/** Runs the command with its arguments. Returns the exit code. */
export async function main(args: readonly string[], version: string): Promise<number> {
  const runtime = processRuntime()
  const code = await exitCodeOf(args, version, runtime)
  await Promise.all([process.stdout, process.stderr].map(flushed))
  return code
}

async function exitCodeOf(
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

/** Resolves when everything that was written has left the process. */
function flushed(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.write('', () => resolve())
  })
}
