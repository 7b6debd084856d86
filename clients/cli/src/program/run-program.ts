import type { Command } from 'commander'
import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'
import { openSession } from '../session/open-session.ts'
import type { Runtime } from '../session/runtime.ts'
import { commandWord } from './command-word.ts'
import { COMMANDS } from './commands.ts'
import { createProgram } from './create-program.ts'
import type { OpenSession } from './register.ts'

/** A completion that takes longer would disturb. */
const QUICKLY = { requestTimeout: 3000, retries: 0 }

/** Runs the command that the arguments name, or prints the list of commands. */
export async function runProgram(
  args: readonly string[],
  version: string,
  runtime: Runtime,
): Promise<void> {
  const program = createProgram(version, runtime)
  if (args[0] === '__complete') {
    const { printCandidates } = await import('../completion/print-candidates.ts')
    const open: OpenSession = (command) => openSession(runtime, { ...command.opts(), ...QUICKLY })
    await printCandidates({ program, open, runtime }, args.slice(args[1] === '--' ? 2 : 1))
    return
  }
  const words = withoutHelpCommand(args)
  const name = words[commandWord(words)]
  if (name === undefined) {
    addList(program)
    await program.parseAsync(words.length === 0 ? ['--help'] : [...words], { from: 'user' })
    return
  }
  const entry = COMMANDS.find((one) => one.name === name || one.aliases?.includes(name) === true)
  if (entry?.load === undefined) throw unknownCommand(name)
  const { register } = await entry.load()
  register(program, (command) => openSession(runtime, command.optsWithGlobals()))
  await program.parseAsync([...words], { from: 'user' })
}

/** `help get` is `get --help`. */
function withoutHelpCommand(args: readonly string[]): readonly string[] {
  const index = commandWord(args)
  if (args[index] !== 'help') return args
  return [...args.slice(0, index), ...args.slice(index + 1), '--help']
}

/** Adds all commands without their options, for the list of commands. */
function addList(program: Command): void {
  for (const { name, aliases = [], summary, group } of COMMANDS) {
    program
      .command(name)
      .aliases([...aliases])
      .summary(summary)
      .helpGroup(`${group}:`)
  }
}

function unknownCommand(name: string): CliError {
  const names = COMMANDS.flatMap(({ name: own, aliases = [] }) => [own, ...aliases])
  const similar = suggestion(name, names)
  return new CliError(`unknown command '${name}'`, {
    exit: 'usage',
    hint:
      similar === null
        ? "'flotilla --help' lists the commands."
        : `Did you mean 'flotilla ${similar}'? 'flotilla --help' lists the commands.`,
  })
}
