import { isObject, type UnknownObject } from '../../../typescript/src/http/json.ts'

/** Metadata that the server sets. Users neither write it nor compare it. */
const SERVER_METADATA: readonly string[] = [
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
]

/** The fields of an object that users edit, in the usual order. */
export function editableObject(object: UnknownObject): UnknownObject {
  const { apiVersion, kind, metadata, spec, status: _, ...others } = object
  return {
    apiVersion,
    kind,
    metadata: editableMetadata(metadata),
    ...others,
    ...(spec !== undefined && { spec }),
  }
}

function editableMetadata(metadata: unknown): unknown {
  if (!isObject(metadata)) return metadata
  return Object.fromEntries(
    Object.entries(metadata).filter(([key]) => !SERVER_METADATA.includes(key)),
  )
}

/**
 * The body of an update: the edit, based on a version of the object. The status is that of the
 * version, for kinds that keep it in the object itself.
 */
export function updateOf(edited: UnknownObject, version: UnknownObject): UnknownObject {
  const { metadata, status } = version
  const { uid, resourceVersion } = isObject(metadata) ? metadata : {}
  const own = isObject(edited['metadata']) ? edited['metadata'] : {}
  return {
    ...edited,
    metadata: { ...own, uid, resourceVersion },
    ...(status !== undefined && { status }),
  }
}
