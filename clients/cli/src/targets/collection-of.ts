import type { KindCollection } from '../../../typescript/src/index.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from './kind-target.ts'
import type { Resource } from './resource.ts'

/** The resources of a kind. */
export function collectionOf(
  { client }: Pick<Session, 'client'>,
  { plural }: KindTarget,
): KindCollection<Resource> {
  return client.collection<Resource>(plural)
}
