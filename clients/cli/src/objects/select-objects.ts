import { resourcePath } from '../apply/resource-path.ts'
import { isJsonObject, type JsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import { objectPath } from '../planes/object-path.ts'
import { combinedSearch } from '../resources/combined-search.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import type { KindTarget, PlaneTarget, Target } from '../targets/kind-target.ts'
import { readParent } from '../targets/read-resource.ts'
import type { Place } from './locate-object.ts'
import type { LocatedObject } from './located-object.ts'

/** Objects that are selected by their content. */
export interface Selection {
  /** Labels, as `key=value,key!=value`. */
  readonly selector?: string | undefined
  /** A TSL expression, for resources of the HyperFleet API. */
  readonly search?: string | undefined
  readonly all?: boolean | undefined
}

/** Lists the objects of a selection. */
export function selectObjects(
  session: Session,
  target: Target,
  options: Selection & Place,
): Promise<readonly LocatedObject[]> {
  return target.api === 'hyperfleet'
    ? selectResources(session, target, options)
    : selectInPlane(session, target, options)
}

async function selectResources(
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
    found.push({ target, label, path, object: { ...resource }, tag: null })
  }
  return found
}

async function selectInPlane(
  { client, signal }: Session,
  target: PlaneTarget,
  { selector, search, namespace = 'default' }: Selection & Place,
): Promise<readonly LocatedObject[]> {
  if (search !== undefined) {
    throw new CliError(`--search does not apply to ${target.plural}`, {
      exit: 'usage',
      hint: 'Objects of planes are selected by labels: -l key=value.',
    })
  }
  const place = { ...target, namespace: target.namespaced ? namespace : null }
  const path = objectPath(place)
  const query = { labelSelector: selector }
  const request = { method: 'GET', path, query, signal, retry: 'always' } as const
  const { items } = (await client.request<{ readonly items: readonly JsonObject[] }>(request)).body
  const prefix = target.group === '' ? target.singular : `${target.singular}.${target.group}`
  return items.map((object) => {
    const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {}
    const name = String(metadata['name'])
    return { target, label: `${prefix}/${name}`, path: objectPath(place, name), object, tag: null }
  })
}
