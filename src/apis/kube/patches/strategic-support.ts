import { unsupportedMediaType } from '../errors/failures.ts'
import type { ResourceType } from '../model/resource-type.ts'

const CUSTOM_PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
]

/** Throws 415 if the resource is custom: its schema has no rules for strategic merge patches. */
export function requireStrategicSupport({ isCustom }: Pick<ResourceType, 'isCustom'>): void {
  if (!isCustom) return
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${CUSTOM_PATCH_TYPES.join(', ')}`,
  )
}
