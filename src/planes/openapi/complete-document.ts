import { endLongTurn } from '../../lib/async/steps.ts'
import { yieldMainThread } from '../../lib/tracing/main-thread.ts'
import type { JsonObject } from '../../lib/json/json.ts'
import type { ResourceType } from '../model/resource-type.ts'
import {
  encodeDefinitions,
  encodeFrame,
  encodePaths,
  joinDocument,
} from './gnostic/gnostic-document.ts'
import { documentParts } from './group-version-content.ts'
import { openApiV2Content, openApiV2Frame } from './open-api-v2.ts'
import type { RecentlyUsed } from './recently-used.ts'
import { jsonText } from '../../lib/json/json-text.ts'

/** The encodings of OpenAPI documents. */
export type DocumentEncoding = 'json' | 'protobuf'

/** An encoded part of a document. */
export interface Fragment {
  readonly paths: Buffer
  readonly definitions: Buffer
}

interface Codec {
  readonly paths: (paths: JsonObject) => Uint8Array
  readonly definitions: (definitions: JsonObject) => Uint8Array
  readonly join: (fragments: readonly Fragment[]) => Buffer
}

/** The members of an object as text, without the braces. */
function members(object: JsonObject): Buffer {
  return Buffer.from(jsonText(object).slice(1, -1))
}

function joined(parts: readonly Buffer[]): readonly Buffer[] {
  const filled = parts.filter(({ length }) => length > 0)
  return filled.flatMap((part, index) => (index === 0 ? [part] : [Buffer.from(','), part]))
}

const CODECS: Readonly<Record<DocumentEncoding, Codec>> = {
  json: {
    paths: members,
    definitions: members,
    join: (fragments) =>
      Buffer.concat([
        Buffer.from('{'),
        members(openApiV2Frame()),
        Buffer.from(',"paths":{'),
        ...joined(fragments.map(({ paths }) => paths)),
        Buffer.from('},"definitions":{'),
        ...joined(fragments.map(({ definitions }) => definitions)),
        Buffer.from('}}'),
      ]),
  },
  protobuf: {
    paths: encodePaths,
    definitions: encodeDefinitions,
    join: (fragments) =>
      joinDocument(
        encodeFrame(openApiV2Frame()),
        fragments.map(({ paths }) => paths),
        fragments.map(({ definitions }) => definitions),
      ),
  },
}

/**
 * The OpenAPI 2.0 document of all resources. It may be large: other requests proceed while its
 * parts are generated, and only the parts of changed types are generated again.
 */
export async function completeDocument(
  types: readonly ResourceType[],
  encoding: DocumentEncoding,
  cache: RecentlyUsed<Fragment>,
): Promise<Buffer> {
  const codec = CODECS[encoding]
  const fragments: Fragment[] = []
  for (const { hash, content } of documentParts(types, 'v2')) {
    const key = `${encoding} ${hash}`
    const cached = cache.get(key)
    if (cached) {
      fragments.push(cached)
      continue
    }
    const { paths, definitions } = openApiV2Content(content())
    await endLongTurn()
    const encodedPaths = Buffer.from(codec.paths(paths))
    await endLongTurn()
    const encodedDefinitions = Buffer.from(codec.definitions(definitions))
    fragments.push(cache.add(key, { paths: encodedPaths, definitions: encodedDefinitions }))
    await yieldMainThread()
  }
  return codec.join(fragments)
}
