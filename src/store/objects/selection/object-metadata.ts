import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'

/** The metadata of an object; empty if it has none. */
function metadataOf(body: JsonObject): JsonObject {
  const metadata = body['metadata']
  return isJsonObject(metadata) ? metadata : {}
}

/** The labels of an object. */
export function labelsOf(body: JsonObject): Readonly<Record<string, string>> {
  const labels = metadataOf(body)['labels']
  if (!isJsonObject(labels)) return {}
  const entries = Object.entries(labels).flatMap(([key, text]) =>
    typeof text === 'string' ? [[key, text] as const] : [],
  )
  return Object.fromEntries(entries)
}

/** The uids of the owners of an object, each once. */
export function ownerUidsOf(body: JsonObject): readonly string[] {
  const references = metadataOf(body)['ownerReferences']
  if (!Array.isArray(references)) return []
  const uids = references.flatMap((reference: JsonValue) => {
    const uid = isJsonObject(reference) ? reference['uid'] : null
    return typeof uid === 'string' ? [uid] : []
  })
  return [...new Set(uids)]
}

/** The time of an object's creation or requested deletion in ISO 8601, or null. */
export function timeOf(
  body: JsonObject,
  field: 'creationTimestamp' | 'deletionTimestamp',
): string | null {
  const value = metadataOf(body)[field]
  if (typeof value !== 'string') return null
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}
