import { allSteps } from '../../../lib/async/steps.ts'
import { compareText } from '../../../lib/text/compare-text.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { difference, type FieldSet, NO_FIELDS } from '../fields/field-set.ts'
import { compareObjects } from '../typed/compare-objects.ts'
import type { FieldType } from '../typed/field-type.ts'
import { fieldsOf } from '../typed/fields-of.ts'
import { jsonText, parseJsonText } from '../../../lib/json/json-text.ts'

/** The annotation of `kubectl apply` without `--server-side`. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'

/** The manager of `kubectl apply --server-side`, which takes over from client-side apply. */
export const KUBECTL = 'kubectl'

/** The fields that client-side apply set and that still have its values. */
export function lastAppliedFields(live: ApiObject, type: FieldType): FieldSet {
  const applied = parseObject(annotationOf(live))
  if (applied === null || applied['apiVersion'] !== live.apiVersion) return NO_FIELDS
  const { added, modified, removed } = allSteps(compareObjects(type, applied, live))
  const fields = difference(allSteps(fieldsOf(type, applied)), modified)
  return difference(difference(fields, added), removed)
}

/** Keeps the annotation of client-side apply up to date, so that users can go back to it. */
export function syncLastApplied(object: ApiObject, applied: ApiObject): ApiObject {
  if (annotationOf(object) === '') return object
  const { [LAST_APPLIED]: _old, ...annotations } = applied.metadata.annotations ?? {}
  const hasAnnotations = applied.metadata.annotations !== undefined
  const metadata = { ...applied.metadata, ...(hasAnnotations && { annotations }) }
  const text = `${jsonText(sortedKeys({ ...applied, metadata }))}\n`
  const all = { ...object.metadata.annotations, [LAST_APPLIED]: text }
  return { ...object, metadata: { ...object.metadata, annotations: all } }
}

function annotationOf({ metadata }: ApiObject): string {
  const annotations = metadata.annotations ?? {}
  const text = Object.hasOwn(annotations, LAST_APPLIED) ? annotations[LAST_APPLIED] : ''
  return typeof text === 'string' ? text : ''
}

function parseObject(text: string): JsonObject | null {
  try {
    const value = parseJsonText(text)
    return isJsonObject(value) ? value : null
  } catch {
    return null
  }
}

function sortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (!isJsonObject(value)) return value
  const members = Object.entries(value).toSorted(([one], [other]) => compareText(one, other))
  return Object.fromEntries(members.map(([name, member]) => [name, sortedKeys(member)]))
}
