import type { KindDescription } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'
import type { Session } from '../session/session.ts'
import { BUILT_IN_KINDS } from './built-in-kinds.ts'
import type { KindTarget } from './kind-target.ts'
import { kubectlHint } from '../errors/kubectl-hint.ts'

interface Purpose {
  /** The command of kubectl that does the same with an object of a plane, such as `get configmaps`. */
  readonly kubectl: string
  /** The name or ID of a cluster that the command names. */
  readonly cluster?: string | undefined
}

/**
 * The kind that a word names: its plural, singular, name or abbreviation, in any case. Built-in kinds
 * need no request.
 */
export async function resolveTarget(
  session: Session,
  word: string,
  purpose: Purpose,
): Promise<KindTarget> {
  const lower = word.toLowerCase()
  const builtIn = BUILT_IN_KINDS.find((kind) => wordsOf(kind).includes(lower))
  if (builtIn !== undefined) return builtIn
  const kinds = (await session.kinds()).map(targetOf)
  const kind = kinds.find((one) => wordsOf(one).includes(lower))
  if (kind !== undefined) return kind
  throw unknownKind(word, purpose, [...BUILT_IN_KINDS, ...kinds].flatMap(wordsOf))
}

/** A kind of the server as a target. */
export function targetOf({
  kind,
  plural,
  singular,
  parent_kind: parentKind,
}: KindDescription): KindTarget {
  return { kind, plural, singular: singular.toLowerCase(), parentKind }
}

interface Named {
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly aliases?: readonly string[] | undefined
}

function wordsOf({ kind, plural, singular, aliases = [] }: Named): string[] {
  return [plural, singular, kind, ...aliases].map((word) => word.toLowerCase())
}

/** Commands for objects of planes: the words that begin the names of their kinds. */
const OWN_COMMANDS = ['fleet', 'sandbox']

/** A resource of a plane could have any name, so that every hint says what to do about it. */
function unknownKind(
  word: string,
  { kubectl, cluster }: Purpose,
  words: readonly string[],
): CliError {
  const similar = suggestion(word, words)
  const own = OWN_COMMANDS.find((one) => word.toLowerCase().startsWith(one))
  const first =
    own !== undefined
      ? `'flotilla help ${own}' lists the commands for this.`
      : similar === null
        ? `'flotilla kinds' lists the kinds of the HyperFleet API.`
        : `Did you mean '${similar}'?`
  return new CliError(`unknown kind '${word}'`, {
    exit: 'usage',
    hint: `${first} ${kubectlHint(kubectl, cluster)}`,
  })
}
