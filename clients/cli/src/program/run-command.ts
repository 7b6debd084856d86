import { CommanderError } from 'commander'
import { CliError } from '../errors/cli-error.ts'
import { ExitWith } from '../errors/exit-with.ts'
import { EXIT } from '../errors/exit-codes.ts'
import { kubectlHint } from '../errors/kubectl-hint.ts'
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

/** Options that only objects of planes need. */
const OF_PLANES = /unknown option '(-n|--(cluster|namespace|force-conflicts|cascade))\b/

/** The commands of kubectl that do the same with objects of planes. */
const KUBECTL: Readonly<Record<string, string>> = {
  get: 'get KIND',
  describe: 'describe KIND NAME',
  why: 'describe KIND NAME',
  kinds: 'api-resources',
  apply: 'apply --server-side -f FILE',
  create: 'create -f FILE',
  edit: 'edit KIND NAME',
  patch: 'patch KIND NAME -p PATCH',
  label: 'label KIND NAME KEY=VALUE',
  delete: 'delete KIND NAME',
  'can-i': 'auth can-i VERB KIND',
}

/** The failure of the parser, whose message may contain a suggestion in parentheses. */
function usageError({ message }: CommanderError, args: readonly string[]): CliError {
  const [first = '', suggestion] = message.replace(/^error: /, '').split('\n')
  const command = args[commandWord(args)]
  const kubectl = OF_PLANES.test(first) ? KUBECTL[command ?? ''] : undefined
  if (kubectl !== undefined) {
    return new CliError(first, { exit: 'usage', hint: kubectlHint(kubectl, 'CLUSTER') })
  }
  const help = command === undefined ? 'flotilla --help' : `flotilla help ${command}`
  const hint = suggestion?.replace(/^\((.*)\)$/, '$1') ?? `'${help}' shows the usage.`
  return new CliError(first, { exit: 'usage', hint })
}
