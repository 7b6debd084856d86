import { CliError } from '../errors/cli-error.ts'
import { splitArgument } from './split-argument.ts'

/** The arguments `KIND NAME` or `KIND/NAME` of a command about one object. */
export interface ObjectArgument {
  readonly kind: string
  readonly name: string | undefined
}

/** The kind and the name of an argument. A missing name is an error that names the command. */
export function namedArgument(
  command: string,
  argument: ObjectArgument,
): { readonly kind: string; readonly name: string } {
  const { kind, name } = splitArgument(argument.kind, argument.name)
  if (name !== null) return { kind, name }
  throw new CliError('the name is missing', {
    exit: 'usage',
    hint: `Write 'flotilla ${command} KIND NAME'; 'flotilla get KIND' lists the names.`,
  })
}
