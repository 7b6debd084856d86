import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { difference, type FieldSet, NO_FIELDS, union } from '../fields/field-set.ts'
import { fieldSetOf } from '../fields/field-set-builder.ts'
import { fieldElement } from '../fields/path-element.ts'
import type { TrackedPart } from './field-write.ts'

/** Fields that the server maintains; managers never own them. */
const SERVER_METADATA: ReadonlySet<string> = new Set([
  'name',
  'namespace',
  'selfLink',
  'uid',
  'clusterName',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
])

const STATUS = fieldElement('status')
const METADATA = fieldElement('metadata')

const SERVER_FIELDS = fieldSetOf(
  [fieldElement('apiVersion')],
  [fieldElement('kind')],
  [METADATA],
  ...[...SERVER_METADATA].map((name) => [METADATA, fieldElement(name)]),
)

const NAME = fieldSetOf([METADATA, fieldElement('name')])

/**
 * The fields of an applied object that the write tracks. They include the name, so that metadata
 * remains if the object applies nothing else of it.
 */
export function appliedFields(set: FieldSet, part: TrackedPart): FieldSet {
  if (part === 'status') {
    const status = set.get(STATUS)
    return status === undefined ? NO_FIELDS : new Map([[STATUS, status]])
  }
  const tracked = new Map(set)
  if (part === 'all-but-status') tracked.delete(STATUS)
  return union(tracked, NAME)
}

/** The fields that managers may own. */
export function withoutServerFields(set: FieldSet): FieldSet {
  return difference(set, SERVER_FIELDS)
}

/** The members of an object that the write tracks. `metadata` is always there. */
export function trackedObject(object: JsonObject, part: TrackedPart): JsonObject {
  if (part === 'status') {
    const { status } = object
    return status === undefined ? {} : { status }
  }
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...members } = object
  const { status: _status, ...others } = members
  return {
    ...(part === 'all' ? members : others),
    metadata: trackedMetadata(metadata ?? null),
  }
}

function trackedMetadata(metadata: JsonValue): JsonObject {
  if (!isJsonObject(metadata)) return {}
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !SERVER_METADATA.has(name)))
}
