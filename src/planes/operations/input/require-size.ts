import { endLongTurn } from '../../../lib/async/steps.ts'
import type { ObjectContent } from '../../../store/objects/model/object-write.ts'
import { leastBytes } from '../../apply/typed/least-bytes.ts'
import { typeOfObjects } from '../../apply/typed/type-of-schema.ts'
import { KubeError } from '../../errors/kube-error.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { Target } from '../../model/object-operations.ts'
import { versionOf } from '../versioned-object.ts'
import { jsonText } from '../../../lib/json/json-text.ts'

/** The largest object that is stored, as JSON in bytes. */
const MAX_BYTES = 1.5 * 1024 * 1024

/** Returns the content. Throws a 413 if the object is too large, including its managed fields. */
export async function requireSize(content: ObjectContent): Promise<ObjectContent> {
  const { body, managedFields } = content
  const bodyBytes = Buffer.byteLength(jsonText(body))
  await endLongTurn()
  const bytes = bodyBytes + Buffer.byteLength(jsonText(managedFields))
  if (bytes <= MAX_BYTES) return content
  throw tooLarge(`${bytes} bytes`)
}

/**
 * Throws a 413 if an object is certainly too large, before its fields are compared and validated.
 * `ownsFields` is whether the writer will own all fields of the object.
 */
export function requireLeastSize(
  object: ApiObject,
  { type, version }: Pick<Target, 'type' | 'version'>,
  { ownsFields }: { readonly ownsFields: boolean },
): void {
  const { apiVersion, kind, metadata, status = null, ...members } = object
  const { managedFields: _managedFields, ...described } = metadata
  const fields = ownsFields ? typeOfObjects(versionOf(type, version).schema) : null
  const others = leastBytes({ apiVersion, kind, metadata: described, status }, null, MAX_BYTES)
  const bytes = others + leastBytes(members, fields, MAX_BYTES - others)
  // The conversion to the stored version may remove members.
  if (bytes > MAX_BYTES && version === type.storageVersion) {
    throw tooLarge(`more than ${MAX_BYTES} bytes`)
  }
}

function tooLarge(size: string): KubeError {
  return new KubeError(
    'too-large',
    `the object has ${size} as JSON with its managed fields; the limit is ${MAX_BYTES}`,
    { code: 413, statusReason: 'RequestEntityTooLarge' },
  )
}
