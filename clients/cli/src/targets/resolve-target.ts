import type { KindDescription } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'
import { type DiscoveredResource, discoverResources } from '../planes/discover-resources.ts'
import { ROOT_PLANE } from '../planes/plane-path.ts'
import type { Session } from '../session/session.ts'
import { BUILT_IN_KINDS } from './built-in-kinds.ts'
import type { KindTarget, Target } from './kind-target.ts'

interface TargetOptions {
  /** The name or ID of a cluster, for the resources of its plane. */
  readonly cluster?: string | undefined
}

/**
 * The kind that a word names: its plural, singular, name or abbreviation, in any case. Built-in kinds
 * need no request. Other words are looked up among the server's kinds, then among the resources of
 * the cluster's plane or of the root plane, in which `plural.group` is unambiguous.
 */
export async function resolveTarget(
  session: Session,
  word: string,
  { cluster = ROOT_PLANE }: TargetOptions = {},
): Promise<Target> {
  const lower = word.toLowerCase()
  const builtIn = BUILT_IN_KINDS.find((kind) => wordsOf(kind).includes(lower))
  if (builtIn !== undefined) return builtIn
  const kinds = (await session.kinds()).map(targetOf)
  const kind = kinds.find((one) => wordsOf(one).includes(lower))
  if (kind !== undefined) return kind
  const resources = await discoverResources(session, cluster)
  const resource = resources.find((one) => planeWords(one).includes(lower))
  if (resource !== undefined) return resource
  throw unknownKind(word, cluster, [
    ...[...BUILT_IN_KINDS, ...kinds].flatMap(wordsOf),
    ...resources.flatMap(({ plural, singular }) => [plural, singular]),
  ])
}

/** A kind of the server as a target. */
export function targetOf({
  kind,
  plural,
  singular,
  parent_kind: parentKind,
}: KindDescription): KindTarget {
  return { api: 'hyperfleet', kind, plural, singular: singular.toLowerCase(), parentKind }
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

function planeWords(resource: DiscoveredResource): string[] {
  const { plural, group, shortNames } = resource
  return [...wordsOf(resource), ...shortNames, `${plural}.${group}`]
}

function unknownKind(word: string, cluster: string, words: readonly string[]): CliError {
  const similar = suggestion(word, words)
  const elsewhere =
    cluster === ROOT_PLANE
      ? ' Add --cluster NAME for a resource of a cluster, such as configmaps.'
      : ''
  return new CliError(`unknown kind '${word}'`, {
    exit: 'usage',
    hint:
      similar === null
        ? `'flotilla kinds' lists the kinds.${elsewhere}`
        : `Did you mean '${similar}'?`,
  })
}
