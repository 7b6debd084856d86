import type { Collection } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from './kind-target.ts'
import type { Resource } from './resource.ts'

/** The resources of a kind. */
export function collectionOf(
  { client }: Pick<Session, 'client'>,
  { plural }: KindTarget,
): Pick<Collection<Resource, object>, 'get' | 'list' | 'watch'> {
  if (plural === 'clusters') return client.clusters
  if (plural === 'nodepools') return client.nodepools
  throw new CliError(`${plural} are not supported`)
}
