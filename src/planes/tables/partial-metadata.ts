import type { JsonObject } from '../../lib/json/json.ts'
import type { ApiList, ApiObject } from '../model/api-object.ts'
import type { Representation } from '../negotiation/negotiate.ts'

type MetaVersion = Representation['metaVersion']

/** The metadata of an object without its content: a PartialObjectMetadata. */
export function partialMetadata({ metadata }: ApiObject, version: MetaVersion): ApiObject {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata }
}

/** A PartialObjectMetadataList. */
export function partialMetadataList(
  { metadata, items }: ApiList,
  version: MetaVersion,
  omitsItemKinds = false,
): JsonObject {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
    items: items.map((item) =>
      omitsItemKinds ? { metadata: item.metadata } : partialMetadata(item, version),
    ),
  }
}
