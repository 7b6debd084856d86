import { randomUUID } from 'node:crypto'
import { errorMessage } from '../../lib/error-message.ts'
import { chunksOf } from '../../lib/chunks-of.ts'
import type { JsonObject, JsonValue } from '../../lib/json/json.ts'
import { KubeError } from '../errors/kube-error.ts'
import type { ApiObject } from '../model/api-object.ts'
import { apiVersionOf, resourceKey, type ResourceType } from '../model/resource-type.ts'
import type { Converter } from '../model/converter.ts'
import { conversionOf } from './compile-definition.ts'
import { readConversionResponse } from './conversion-response.ts'

const TIMEOUT_MS = 30_000
/** The most objects of one call. */
const MAX_OBJECTS = 500

/** Calls a webhook and returns the body of the response. */
export type CallWebhook = (call: {
  /** For messages. */
  readonly name: string
  /** `url` and `caBundle`. */
  readonly clientConfig: JsonValue | undefined
  readonly timeoutMs: number
  readonly body: JsonObject
}) => Promise<JsonObject>

/** Converts objects between the versions of their type. */
export function createConverter({ callWebhook }: { readonly callWebhook: CallWebhook }): Converter {
  return async (objects, { type, version }) => {
    const apiVersion = apiVersionOf(type.group, version)
    const { convert } = type
    if (convert) return objects.map((object) => convert(object, version))
    const { webhook } = conversionOf(type)
    if (webhook === null) return objects.map((object) => withVersion(object, apiVersion))
    const others = objects.filter((object) => object.apiVersion !== apiVersion)
    const converted = new Map<ApiObject, ApiObject>()
    for (const chunk of chunksOf(others, () => 1, MAX_OBJECTS)) {
      const results = await callConversion(callWebhook, { type, webhook, apiVersion }, chunk)
      for (const [index, object] of chunk.entries()) {
        converted.set(object, results[index] ?? object)
      }
    }
    return objects.map((object) => converted.get(object) ?? object)
  }
}

/** Versions of a definition without a webhook differ only in their name. */
function withVersion(object: ApiObject, apiVersion: string): ApiObject {
  return object.apiVersion === apiVersion ? object : { ...object, apiVersion }
}

interface Conversion {
  readonly type: ResourceType
  readonly webhook: JsonObject
  readonly apiVersion: string
}

async function callConversion(
  callWebhook: CallWebhook,
  { type, webhook, apiVersion }: Conversion,
  objects: readonly ApiObject[],
): Promise<readonly ApiObject[]> {
  const uid = randomUUID()
  try {
    const response = await callWebhook({
      name: resourceKey(type),
      clientConfig: webhook['clientConfig'],
      timeoutMs: TIMEOUT_MS,
      body: {
        kind: 'ConversionReview',
        apiVersion: 'apiextensions.k8s.io/v1',
        request: { uid, desiredAPIVersion: apiVersion, objects },
      },
    })
    return readConversionResponse(response, { uid, apiVersion, objects })
  } catch (error) {
    const target = `${type.group}/${type.versions[0]?.name ?? ''}, Kind=${type.kind}`
    const message = `conversion webhook for ${target} failed: ${errorMessage(error)}`
    throw new KubeError('unavailable', message, {
      code: 500,
      statusReason: 'InternalError',
      cause: error,
    })
  }
}
