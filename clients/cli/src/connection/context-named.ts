import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'
import type { Context, Contexts } from './contexts.ts'

/** The context with a name. */
export function contextNamed(
  { contexts }: Contexts,
  name: string,
  exit: 'usage' | 'notFound',
): Context {
  const found = Object.hasOwn(contexts, name) ? contexts[name] : undefined
  if (found !== undefined) return found
  const similar = suggestion(name, Object.keys(contexts))
  const question = similar === null ? '' : `Did you mean '${similar}'? `
  throw new CliError(`there is no context '${name}'`, {
    exit,
    hint: `${question}'flotilla context' lists the contexts; 'flotilla login URL' adds one.`,
  })
}
