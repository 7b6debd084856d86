import type { Command, Option } from 'commander'
import { commandWord } from '../program/command-word.ts'
import { COMMANDS } from '../program/commands.ts'
import type { OpenSession } from '../program/register.ts'
import type { Runtime } from '../session/runtime.ts'
import type { Candidate } from './candidate.ts'
import { optionsOf, positionOf } from './position.ts'
import { valueCandidates } from './value-candidates.ts'

/** The context of a completion. */
export interface Completion {
  readonly program: Command
  readonly open: OpenSession
  readonly runtime: Runtime
}

/** Commands whose names are of one kind. */
const KIND_OF: Readonly<Record<string, string>> = { fleet: 'fleets', sandbox: 'sandboxes' }

/** Candidates for the last word of a command line. A server that does not respond has none. */
export async function complete(
  { program, open, runtime }: Completion,
  words: readonly string[],
): Promise<readonly Candidate[]> {
  const current = words.at(-1) ?? ''
  const index = commandWord(words)
  if (index < 0 || index === words.length - 1) {
    const position = positionOf(program, words)
    if (position.is === 'option') return optionCandidates(program)
    if (position.is !== 'value') return commandCandidates()
  } else {
    const entry = COMMANDS.find(
      ({ name, aliases = [] }) => name === words[index] || aliases.includes(words[index] ?? ''),
    )
    if (entry?.load === undefined) return []
    const { register } = await entry.load()
    register(program, open)
  }
  const position = positionOf(program, words)
  if (position.is === 'command') {
    return position.command.commands.map((one) => ({
      value: one.name(),
      description: one.summary() === '' ? one.description() : one.summary(),
    }))
  }
  if (position.is === 'option') return optionCandidates(position.command)
  const { operands } = position
  const kind = KIND_OF[words[index] ?? '']
  const named = kind === undefined ? operands.arguments : { kind, ...operands.arguments }
  const request = { ...position, operands: { ...operands, arguments: named } }
  const session = async () => await open(withOptions(program, position.operands.options))
  return await valueCandidates({ position: request, session, current, runtime })
}

/** The program with the options that choose the server, which the parser has not seen. */
function withOptions(program: Command, options: Readonly<Record<string, string>>): Command {
  for (const [name, value] of Object.entries(options)) program.setOptionValue(name, value)
  return program
}

function commandCandidates(): readonly Candidate[] {
  const own = COMMANDS.map(({ name, summary }) => ({ value: name, description: summary }))
  return [...own, { value: 'help', description: 'Show the help of a command' }]
}

function optionCandidates(command: Command): readonly Candidate[] {
  const names = optionsOf(command).flatMap((option: Option) =>
    option.hidden
      ? []
      : [{ value: option.long ?? option.short ?? '', description: option.description }],
  )
  return [...names, { value: '--help', description: 'show the help of a command' }]
}
