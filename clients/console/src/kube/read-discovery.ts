import { isObject, type UnknownObject } from '../../../typescript/src/http/json.ts'
import type { PlaneKind } from './plane-kind.ts'

/** The media type of the aggregated discovery document. */
export const DISCOVERY_TYPE = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/**
 * Reads the kinds of discovery documents. A kind that a group serves in several versions appears
 * once, in the version that the server prefers. Kinds that cannot be listed are left out.
 */
export function readDiscovery(documents: readonly unknown[]): readonly PlaneKind[] {
  const kinds = new Map<string, PlaneKind>()
  for (const kind of documents.flatMap(groupsIn).flatMap(kindsOfGroup)) {
    const key = `${kind.plural}.${kind.group}`
    if (!kinds.has(key) && kind.verbs.includes('list')) kinds.set(key, kind)
  }
  return [...kinds.values()].sort(
    (a, b) => a.group.localeCompare(b.group) || a.kind.localeCompare(b.kind),
  )
}

function groupsIn(document: unknown): readonly UnknownObject[] {
  return objectsIn(isObject(document) ? document['items'] : null)
}

function kindsOfGroup({ metadata, versions }: UnknownObject): readonly PlaneKind[] {
  const group = isObject(metadata) ? textOf(metadata['name']) : ''
  return objectsIn(versions).flatMap(({ version, resources }) =>
    objectsIn(resources).map((resource) => readKind(resource, group, textOf(version))),
  )
}

function readKind(resource: UnknownObject, group: string, version: string): PlaneKind {
  const { responseKind } = resource
  return {
    group,
    version,
    plural: textOf(resource['resource']),
    kind: isObject(responseKind) ? textOf(responseKind['kind']) : '',
    isNamespaced: resource['scope'] === 'Namespaced',
    verbs: textsOf(resource['verbs']),
    shortNames: textsOf(resource['shortNames']),
  }
}

function objectsIn(value: unknown): readonly UnknownObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
