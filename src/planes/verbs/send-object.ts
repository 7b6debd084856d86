import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { endLongTurn, stepsInTurns } from '../../lib/async/steps.ts'
import { jsonTextInSteps } from '../../lib/json/json-text.ts'
import { sendBody } from '../../http/json/send-body.ts'
import { endAfterBody } from '../../http/requests/end-after-body.ts'
import type { ApiList, ApiObject } from '../model/api-object.ts'
import { mergesStrategically } from '../model/resource-type.ts'
import { notAcceptable } from '../negotiation/negotiate.ts'
import { serialize, type SerializedBody } from '../negotiation/serialize.ts'
import { versionOf } from '../operations/versioned-object.ts'
import { partialMetadata, partialMetadataList } from '../tables/partial-metadata.ts'
import { parseIncludeObject, tableOf } from '../tables/table.ts'
import type { VerbRequest } from './verb-request.ts'

type Presenting = Pick<VerbRequest, 'representation' | 'target' | 'query' | 'clock'>

/** An object in the representation that the request accepts. */
export function presentObject(verb: Presenting, object: ApiObject): JsonValue {
  const { shape, metaVersion } = verb.representation
  switch (shape) {
    case 'object':
      return object
    case 'table':
      return tableFor(verb, [object], { metadata: versionOnly(object) })
    case 'metadata':
      return partialMetadata(object, metaVersion)
    case 'metadata-list':
      throw notAcceptable('PartialObjectMetadataList is the form of a list, not of an object')
  }
}

/** A table of objects. */
export function tableFor(
  { representation, target, query, clock }: Presenting,
  objects: readonly ApiObject[],
  options: { readonly metadata?: JsonObject; readonly noHeaders?: boolean },
): JsonObject {
  return tableOf(objects, versionOf(target.type, target.version), {
    includeObject: parseIncludeObject(query.get('includeObject') ?? undefined),
    metaVersion: representation.metaVersion,
    now: clock(),
    ...options,
  })
}

function versionOnly({ metadata }: ApiObject): JsonObject {
  const { resourceVersion } = metadata
  return resourceVersion === undefined ? {} : { resourceVersion }
}

function presentList(verb: Presenting, list: ApiList): JsonValue {
  const { shape, metaVersion, omitsItemKinds = false } = verb.representation
  switch (shape) {
    case 'object': {
      const items = mergesStrategically(verb.target.type) ? list.items.map(withoutKind) : list.items
      return { ...list, metadata: { ...list.metadata }, items }
    }
    case 'table':
      return tableFor(verb, list.items, { metadata: { ...list.metadata } })
    case 'metadata':
      throw notAcceptable('PartialObjectMetadata is the form of an object, not of a list')
    case 'metadata-list':
      return partialMetadataList(list, metaVersion, omitsItemKinds)
  }
}

/**
 * An item of a list of one of Kubernetes' own kinds, which its kind follows from. Other kinds act as
 * custom resources, whose items have a kind.
 */
export function withoutKind({ apiVersion: _version, kind: _kind, ...item }: ApiObject): JsonObject {
  return item
}

/** Sends an object in the representation that the request accepts. */
export async function sendObject(
  verb: VerbRequest,
  status: number,
  object: ApiObject,
): Promise<void> {
  await endLongTurn()
  await sendValue(verb, status, presentObject(verb, object))
}

/** Sends a list in the representation that the request accepts. */
export async function sendList(verb: VerbRequest, list: ApiList): Promise<void> {
  const value = presentList(verb, list)
  if (verb.representation.encoding === 'json' && isJsonObject(value)) {
    const text = await stepsInTurns(jsonTextInSteps(value))
    sendSerialized(verb, 200, { contentType: 'application/json', text })
    return
  }
  await sendValue(verb, 200, value)
}

/** Sends a value in the encoding that the request accepts. */
export async function sendValue(
  { response, representation }: Pick<VerbRequest, 'response' | 'representation'>,
  status: number,
  value: JsonValue,
): Promise<void> {
  sendSerialized({ response }, status, await serialize(value, representation.encoding))
}

/** Sends a body that is text already. */
export function sendSerialized(
  { response }: Pick<VerbRequest, 'response'>,
  status: number,
  { contentType, text }: SerializedBody,
): void {
  response.status(status).setHeader('Content-Type', contentType)
  sendBody(response, text, endAfterBody)
}
