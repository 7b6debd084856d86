import { unsupportedMediaType } from '../errors/failures.ts'
import { mergesStrategically, type ResourceType } from '../model/resource-type.ts'

const CUSTOM_PATCH_TYPES = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
]

/** Throws 415 for resources without rules for strategic merge patches, such as custom ones. */
export function requireStrategicSupport(
  type: Pick<ResourceType, 'isCustom' | 'mergesStrategically'>,
): void {
  if (mergesStrategically(type)) return
  throw unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${CUSTOM_PATCH_TYPES.join(', ')}`,
  )
}
