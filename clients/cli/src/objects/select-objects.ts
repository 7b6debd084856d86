import { resourcePath } from '../apply/resource-path.ts'
import { combinedSearch } from '../resources/combined-search.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { readParent } from '../targets/read-resource.ts'
import type { Place } from './locate-object.ts'
import type { LocatedObject } from './located-object.ts'

/** Resources that are selected by their content. */
export interface Selection {
  /** Labels, as `key=value,key!=value`. */
  readonly selector?: string | undefined
  /** A TSL expression. */
  readonly search?: string | undefined
  readonly all?: boolean | undefined
}

/** Lists the resources of a selection. */
export async function selectObjects(
  session: Session,
  target: KindTarget,
  { selector, search, cluster }: Selection & Place,
): Promise<readonly LocatedObject[]> {
  const parent = cluster === undefined ? undefined : await readParent(session, target, cluster)
  const chosen = combinedSearch({ search, labels: selector })
  const found: LocatedObject[] = []
  const list = collectionOf(session, target).list({
    search: chosen,
    parent,
    signal: session.signal,
  })
  for await (const resource of list) {
    const label = `${target.singular}/${resource.name}`
    const path = resourcePath(target.plural, resource.id)
    found.push({ target, label, path, object: { ...resource } })
  }
  return found
}
