import { isJsonObject, type JsonObject } from '../../lib/json/json.ts'
import type { Delegate } from './delegate.ts'
import { textsOf } from '../../lib/json/json-fields.ts'

/** The most resources of a group version. */
const MAX_RESOURCES = 1000

/** The resources of an APIResourceList as items of the aggregated document. Throws if it is none. */
export function discoveredResources(
  list: JsonObject,
  delegate: Pick<Delegate, 'group' | 'version'>,
): readonly JsonObject[] {
  const { resources } = list
  if (list['kind'] !== 'APIResourceList' || !Array.isArray(resources)) {
    throw new Error('the document is not an APIResourceList')
  }
  const entries = resources
    .filter((item) => isJsonObject(item))
    .filter(({ name }) => typeof name === 'string')
    .slice(0, MAX_RESOURCES)
  return entries
    .filter((entry) => !nameOf(entry).includes('/'))
    .map((entry) => {
      const prefix = `${nameOf(entry)}/`
      const subresources = entries.filter((other) => nameOf(other).startsWith(prefix))
      return discoveredResource(entry, subresources, delegate)
    })
}

function discoveredResource(
  entry: JsonObject,
  subresources: readonly JsonObject[],
  delegate: Pick<Delegate, 'group' | 'version'>,
): JsonObject {
  const { singularName, namespaced } = entry
  const [shortNames, categories] = [textsOf(entry['shortNames']), textsOf(entry['categories'])]
  return {
    resource: nameOf(entry),
    responseKind: kindOf(entry, delegate),
    scope: namespaced === true ? 'Namespaced' : 'Cluster',
    singularResource: typeof singularName === 'string' ? singularName : '',
    verbs: textsOf(entry['verbs']),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((subresource) => ({
        subresource: nameOf(subresource).slice(nameOf(entry).length + 1),
        responseKind: kindOf(subresource, delegate),
        verbs: textsOf(subresource['verbs']),
      })),
    }),
  }
}

function kindOf(entry: JsonObject, delegate: Pick<Delegate, 'group' | 'version'>): JsonObject {
  const { group, version, kind } = entry
  return {
    group: typeof group === 'string' && group !== '' ? group : delegate.group,
    version: typeof version === 'string' && version !== '' ? version : delegate.version,
    kind: typeof kind === 'string' ? kind : '',
  }
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : ''
}
