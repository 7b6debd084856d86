import { CliError } from '../errors/cli-error.ts'

/** The kind and the name of `KIND NAME` or `KIND/NAME`, such as `np lisbon/workers`. */
export function splitArgument(
  kind: string,
  name: string | undefined,
): { readonly kind: string; readonly name: string | null } {
  const slash = kind.indexOf('/')
  if (slash < 0) return { kind, name: name ?? null }
  if (name !== undefined) {
    throw new CliError(`'${kind}' already contains a name`, {
      exit: 'usage',
      hint: `Write either '${kind}' or '${kind.slice(0, slash)} ${name}'.`,
    })
  }
  return { kind: kind.slice(0, slash), name: kind.slice(slash + 1) }
}
