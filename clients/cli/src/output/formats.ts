import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'

/** An output format from `-o`. */
export type Format =
  | { readonly name: 'table' }
  | { readonly name: 'wide' }
  | { readonly name: 'name' }
  | { readonly name: 'json' }
  | { readonly name: 'yaml' }
  | { readonly name: 'jsonpath'; readonly template: string }

const PREFIX = 'jsonpath='

/** Reads the argument of `-o`. `names` lists the formats of the command. */
export function readFormat(
  text: string | undefined,
  names: readonly Exclude<Format['name'], 'table'>[],
): Format {
  if (text === undefined) return { name: 'table' }
  if (text.startsWith(PREFIX) && names.includes('jsonpath')) {
    return { name: 'jsonpath', template: text.slice(PREFIX.length) }
  }
  const name = names.find((one) => one === text && one !== 'jsonpath')
  if (name !== undefined && name !== 'jsonpath') return { name }
  const all = names.map((one) => (one === 'jsonpath' ? "jsonpath='{.path}'" : one))
  const similar = suggestion(text, names)
  throw new CliError(`unknown output format '${text}'`, {
    exit: 'usage',
    hint: `${similar === null ? '' : `Did you mean '${similar}'? `}The formats are ${all.join(', ')}.`,
  })
}
