import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'
import { BUILT_IN_KINDS } from './built-in-kinds.ts'
import type { KindTarget } from './kind-target.ts'

/** The kind that a word names: its plural, singular, name or abbreviation, in any case. */
export function resolveKind(word: string): KindTarget {
  const lower = word.toLowerCase()
  const found = BUILT_IN_KINDS.find((kind) => namesOf(kind).includes(lower))
  if (found !== undefined) return found
  const similar = suggestion(word, BUILT_IN_KINDS.flatMap(namesOf))
  throw new CliError(`unknown kind '${word}'`, {
    exit: 'usage',
    hint:
      similar === null
        ? `This server has ${BUILT_IN_KINDS.map(({ plural }) => plural).join(', ')}.`
        : `Did you mean '${similar}'?`,
  })
}

function namesOf({ plural, singular, aliases }: (typeof BUILT_IN_KINDS)[number]): string[] {
  return [plural, singular, ...aliases]
}
