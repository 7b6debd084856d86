import type { ApiList, ApiObject, ObjectMeta } from '../../../model/api-object.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../lib/json/json.ts'
import { errorOfStatus } from './status-error.ts'

/** The object of a response. */
export function parseObject(body: JsonObject): ApiObject {
  const { apiVersion, kind, metadata } = body
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isMeta(metadata)) {
    throw errorOfStatus({ message: 'the response is not an object of the API' }, 500)
  }
  return { ...body, apiVersion, kind, metadata }
}

/** The list of a response. Items of lists may lack apiVersion and kind. */
export function parseList(body: JsonObject): ApiList {
  const { apiVersion, kind, metadata, items } = body
  const isList =
    typeof apiVersion === 'string' && typeof kind === 'string' && isJsonObject(metadata)
  if (!isList || !Array.isArray(items)) {
    throw errorOfStatus({ message: 'the response is not a list of the API' }, 500)
  }
  const { resourceVersion, continue: next } = metadata
  const itemKind = kind.replace(/List$/, '')
  return {
    apiVersion,
    kind,
    metadata: {
      resourceVersion: typeof resourceVersion === 'string' ? resourceVersion : '',
      ...(typeof next === 'string' && { continue: next }),
    },
    items: items
      .filter(isJsonObject)
      .map((item) => parseObject({ apiVersion, kind: itemKind, ...item })),
  }
}

function isMeta(value: JsonValue | undefined): value is ObjectMeta {
  return isJsonObject(value)
}
