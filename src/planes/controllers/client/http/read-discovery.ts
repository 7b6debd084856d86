import type { Verb } from '../../../model/resource-type.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import type { ServedResource } from '../plane-client.ts'
import type { HttpOptions } from './http-options.ts'
import { sendRequest } from './send-request.ts'
import { objectsOf, textOf } from '../../../../lib/json/json-fields.ts'

const AGGREGATED =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;q=0.5'
const VERBS: ReadonlySet<string> = new Set<Verb>([
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
])

/** Reads the resources of a plane from its two aggregated discovery documents. */
export async function readDiscovery(
  options: HttpOptions,
  base: string,
): Promise<readonly ServedResource[]> {
  const documents = await Promise.all(
    ['/api', '/apis'].map((path) =>
      sendRequest(options, { method: 'GET', path: base + path, accept: AGGREGATED }),
    ),
  )
  return documents.flatMap((document) => objectsOf(document['items'])).flatMap(resourcesOf)
}

/** The resources of a group, each in its first version, which is the preferred one. */
function resourcesOf(entry: JsonObject): readonly ServedResource[] {
  const { metadata, versions } = entry
  const group = isJsonObject(metadata) ? textOf(metadata['name']) : ''
  const found = new Map<string, ServedResource>()
  for (const { version, resources } of objectsOf(versions)) {
    for (const resource of objectsOf(resources)) {
      const served = servedResource({ group, version: textOf(version) }, resource)
      if (served !== null && !found.has(served.plural)) found.set(served.plural, served)
    }
  }
  return [...found.values()]
}

function servedResource(
  place: { readonly group: string; readonly version: string },
  { resource, responseKind, scope, verbs }: JsonObject,
): ServedResource | null {
  const plural = textOf(resource)
  const kind = isJsonObject(responseKind) ? textOf(responseKind['kind']) : ''
  if (plural === '' || kind === '') return null
  return {
    ...place,
    plural,
    kind,
    namespaced: scope === 'Namespaced',
    verbs: Array.isArray(verbs) ? verbs.filter(isVerb) : [],
  }
}

function isVerb(value: JsonValue): value is Verb {
  return typeof value === 'string' && VERBS.has(value)
}
