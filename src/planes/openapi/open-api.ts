import { compareText } from '../../lib/text/compare-text.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import { type SerializedDocument, serializedDocument } from '../discovery/serialized-document.ts'
import { apiVersionOf, type ResourceType } from '../model/resource-type.ts'
import type { PlaneTypes } from '../model/type-registry.ts'
import { completeDocument, type DocumentEncoding, type Fragment } from './complete-document.ts'
import { encodeDocumentV3 } from './gnostic/gnostic-v3-document.ts'
import { type GroupVersion, servedVersions } from './group-version-content.ts'
import { openApiV3 } from './open-api-v3.ts'
import { RecentlyUsed } from './recently-used.ts'
import { typesHash } from './type-hash.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** A group version whose document another server has. */
export interface DelegatedOpenApi extends GroupVersion {
  readonly hash: string
}

/** A document as it is sent. */
export interface OpenApiDocument {
  readonly body: Buffer
  /** With quotation marks. */
  readonly etag: string
}

/** The OpenAPI documents of planes. */
export interface OpenApi {
  /**
   * `/openapi/v3`: the URL of the document of each group version. `prefix` is the path of the
   * plane, without a slash at the end.
   */
  index(
    plane: Pick<PlaneTypes, 'types'>,
    prefix: string,
    delegated?: readonly DelegatedOpenApi[],
  ): SerializedDocument
  /** `/openapi/v3/api/v1` or `/openapi/v3/apis/{group}/{version}`; null if it is not served. */
  groupVersion(
    plane: Pick<PlaneTypes, 'types'>,
    groupVersion: GroupVersion,
    encoding?: DocumentEncoding,
  ): OpenApiDocument | null
  /** `/openapi/v2` */
  complete(plane: Pick<PlaneTypes, 'types'>, encoding: DocumentEncoding): Promise<OpenApiDocument>
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024

/** Generates documents at their first use. Planes with equal types share them. */
export function createOpenApi(options: { readonly maxBytes?: number } = {}): OpenApi {
  const maxBytes = (options.maxBytes ?? DEFAULT_MAX_BYTES) / 2
  const documents = new RecentlyUsed<OpenApiDocument>(maxBytes, ({ body }) => body.length)
  const fragments = new RecentlyUsed<Fragment>(
    maxBytes,
    ({ paths, definitions }) => paths.length + definitions.length,
  )
  return {
    index: ({ types }, prefix, delegated = []) =>
      serializedDocument({ paths: indexPaths(types, prefix, delegated) }),
    groupVersion: ({ types }, groupVersion, encoding = 'json') => {
      const served = typesOf(types, groupVersion)
      if (served.length === 0) return null
      const hash = typesHash(served)
      const key = `${encoding} ${pathOf(groupVersion)} ${hash}`
      return (
        documents.get(key) ??
        documents.add(key, {
          body: encodeV3(openApiV3(served, groupVersion), encoding),
          etag: `"${hash}"`,
        })
      )
    },
    complete: async ({ types }, encoding) => ({
      body: await completeDocument(types, encoding, fragments),
      etag: `"${typesHash(types)}"`,
    }),
  }
}

function encodeV3(document: JsonObject, encoding: DocumentEncoding): Buffer {
  return encoding === 'json' ? Buffer.from(jsonText(document)) : encodeDocumentV3(document)
}

function typesOf(
  types: readonly ResourceType[],
  { group, version }: GroupVersion,
): readonly ResourceType[] {
  return types.filter(
    (type) =>
      type.group === group && type.versions.some(({ name, served }) => served && name === version),
  )
}

function pathOf({ group, version }: GroupVersion): string {
  return `${group === '' ? 'api' : 'apis'}/${apiVersionOf(group, version)}`
}

function indexPaths(
  types: readonly ResourceType[],
  prefix: string,
  delegated: readonly DelegatedOpenApi[],
) {
  const byPath = new Map<string, ResourceType[]>()
  for (const { type, version } of servedVersions(types)) {
    const path = pathOf({ group: type.group, version: version.name })
    const listed = byPath.get(path)
    if (listed) listed.push(type)
    else byPath.set(path, [type])
  }
  const hashes = new Map([
    ...delegated.map((item) => [pathOf(item), item.hash] as const),
    ...[...byPath].map(([path, served]) => [path, typesHash(served)] as const),
  ])
  const sorted = [...hashes].toSorted(([a], [b]) => compareText(a, b))
  return Object.fromEntries(
    sorted.map(([path, hash]) => [
      path,
      { serverRelativeURL: `${prefix}/openapi/v3/${path}?hash=${encodeURIComponent(hash)}` },
    ]),
  )
}
