import type { ObjectContent } from '../../../core/objects/model/object-write.ts'
import { KubeError } from '../errors/kube-error.ts'

/** The largest object that is stored, as JSON in bytes. */
const MAX_OBJECT_BYTES = 1.5 * 1024 * 1024

/** Returns the content. Throws a 413 if the object is too large, including its managed fields. */
export function requireSize(content: ObjectContent): ObjectContent {
  const bytes = [content.body, content.managedFields]
    .map((part) => Buffer.byteLength(JSON.stringify(part)))
    .reduce((sum, size) => sum + size, 0)
  if (bytes <= MAX_OBJECT_BYTES) return content
  throw new KubeError(
    'too-large',
    `the object has ${bytes} bytes as JSON, more than the limit of ${MAX_OBJECT_BYTES}`,
    { code: 413, statusReason: 'RequestEntityTooLarge' },
  )
}
