import type { Argument, Command, Option } from 'commander'

/** The role of the current word. */
export type Position =
  | { readonly is: 'command'; readonly command: Command }
  | { readonly is: 'option'; readonly command: Command }
  | {
      readonly is: 'value'
      readonly option: Option
      /** The part of the word before the value, such as `--cluster=`. */
      readonly prefix: string
      readonly operands: Operands
    }
  | { readonly is: 'argument'; readonly argument: Argument | null; readonly operands: Operands }

/** The arguments before the current word by name, and the values of options. */
export interface Operands {
  readonly arguments: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
}

/** Finds what the last word is, from the options and arguments that the commands declare. */
export function positionOf(program: Command, words: readonly string[]): Position {
  const current = words.at(-1) ?? ''
  let command = program
  let pending: Option | null = null
  let onlyArguments = false
  const values: Record<string, string> = {}
  let positional: string[] = []
  for (const word of words.slice(0, -1)) {
    if (pending !== null) {
      values[pending.attributeName()] = word
      pending = null
    } else if (!onlyArguments && word === '--') onlyArguments = true
    else if (!onlyArguments && word.startsWith('-')) {
      const { option, value } = optionOf(command, word)
      if (option !== null && value !== null) values[option.attributeName()] = value
      if (option !== null && value === null && (option.required || option.optional))
        pending = option
    } else {
      const sub = command.commands.find(
        (one) => one.name() === word || one.aliases().includes(word),
      )
      if (sub === undefined || positional.length > 0) positional.push(word)
      else command = sub
    }
  }
  const names = command.registeredArguments.map((argument) => argument.name())
  const named = positional.map((word, index) => [names[index] ?? `${index}`, word])
  const operands = { arguments: Object.fromEntries(named), options: values }
  if (pending !== null) return { is: 'value', option: pending, prefix: '', operands }
  if (!onlyArguments && current.startsWith('-')) {
    const { option, value } = optionOf(command, current)
    if (option === null || value === null) return { is: 'option', command }
    const prefix = current.slice(0, current.length - value.length)
    return { is: 'value', option, prefix, operands }
  }
  if (command.commands.length > 0 && positional.length === 0) return { is: 'command', command }
  const declared = command.registeredArguments
  const last = declared.at(-1)
  const argument = declared[positional.length] ?? (last?.variadic === true ? last : null)
  return { is: 'argument', argument, operands }
}

/** The option of a word such as `-o`, `--output` or `--output=json`, and its value. */
function optionOf(
  command: Command,
  word: string,
): { readonly option: Option | null; readonly value: string | null } {
  const [name = '', ...rest] = word.split('=')
  const all = optionsOf(command)
  const option = all.find((one) => one.short === name || one.long === name) ?? null
  return { option, value: rest.length > 0 && word.startsWith('--') ? rest.join('=') : null }
}

/** The options of a command and of the commands around it. */
export function optionsOf(command: Command): readonly Option[] {
  return command.parent === null
    ? command.options
    : [...command.options, ...optionsOf(command.parent)]
}
