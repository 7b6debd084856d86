import { CliError } from '../errors/cli-error.ts'
import { splitArgument } from './split-argument.ts'

/** Objects that a command names. */
export interface NamedObjects {
  readonly kind: string
  readonly names: readonly string[]
}

/** The objects of `KIND NAME NAME` or `KIND/NAME KIND/NAME`, by kind. */
export function splitArguments([first = '', ...rest]: readonly string[]): readonly NamedObjects[] {
  if (!first.includes('/')) return [{ kind: first, names: rest }]
  const names = new Map<string, string[]>()
  for (const argument of [first, ...rest]) {
    if (!argument.includes('/')) throw mixed(argument, first)
    const { kind, name } = splitArgument(argument, undefined)
    names.set(kind, [...(names.get(kind) ?? []), name ?? ''])
  }
  return [...names].map(([kind, own]) => ({ kind, names: own }))
}

function mixed(argument: string, first: string): CliError {
  return new CliError(`'${argument}' has no kind`, {
    exit: 'usage',
    hint: `Write every object as KIND/NAME, such as '${first}', or the kind once before all names.`,
  })
}
