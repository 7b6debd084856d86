import { type JsonObject, type JsonValue, isJsonArray, isJsonObject } from '../../lib/json/json.ts'
import type { ApiObject } from '../model/api-object.ts'
import { objectOf, textOf } from '../../lib/json/json-fields.ts'

interface Request {
  readonly uid: string
  readonly apiVersion: string
  readonly objects: readonly ApiObject[]
}

/**
 * The converted objects of a ConversionReview, in the order of the request. Of metadata, webhooks
 * may change only labels and annotations. Throws an Error if the response is unusable.
 */
export function readConversionResponse(
  review: JsonObject,
  { uid, apiVersion, objects }: Request,
): readonly ApiObject[] {
  if (textOf(review['kind']) !== 'ConversionReview') {
    throw new Error('the response is not a ConversionReview')
  }
  const response = objectOf(review['response'])
  if (textOf(response['uid']) !== uid) {
    throw new Error(`expected response.uid=${uid}, got ${JSON.stringify(textOf(response['uid']))}`)
  }
  const result = objectOf(response['result'])
  if (textOf(result['status']) !== 'Success') {
    const message = textOf(result['message'])
    throw new Error(message === '' ? 'response.result.status is not Success' : message)
  }
  const { convertedObjects = [] } = response
  if (!isJsonArray(convertedObjects) || convertedObjects.length !== objects.length) {
    throw new Error(`the response must have ${objects.length} converted objects`)
  }
  return objects.map((object, index) => converted(object, convertedObjects[index], apiVersion))
}

function converted(
  object: ApiObject,
  result: JsonValue | undefined,
  apiVersion: string,
): ApiObject {
  if (!isJsonObject(result)) throw new Error('a converted object is not an object')
  const metadata = objectOf(result['metadata'])
  if (textOf(result['apiVersion']) !== apiVersion) {
    throw new Error(`expected apiVersion=${apiVersion}, got ${textOf(result['apiVersion'])}`)
  }
  if (textOf(result['kind']) !== object.kind) {
    throw new Error(`expected kind=${object.kind}, got ${textOf(result['kind'])}`)
  }
  for (const name of ['name', 'namespace', 'uid'] as const) {
    if (textOf(metadata[name]) !== (object.metadata[name] ?? '')) {
      throw new Error(`metadata.${name} must not change`)
    }
  }
  const { labels: _labels, annotations: _annotations, ...kept } = object.metadata
  const labels = texts(metadata['labels'])
  const annotations = texts(metadata['annotations'])
  return {
    ...result,
    apiVersion,
    kind: object.kind,
    metadata: { ...kept, ...(labels && { labels }), ...(annotations && { annotations }) },
  }
}

/** A map of texts; null if there is none. */
function texts(value: JsonValue | undefined): Readonly<Record<string, string>> | null {
  if (!isJsonObject(value)) return null
  const entries = Object.entries(value).map(([name, text]): [string, string] => {
    if (typeof text !== 'string') throw new Error('labels and annotations must be texts')
    return [name, text]
  })
  return Object.fromEntries(entries)
}
