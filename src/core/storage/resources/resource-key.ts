import { isStorableText } from '../database/storable-text.ts'

/**
 * What addresses a resource: `ownerId` if the path names the parent, `tenant` if the request is
 * limited to one.
 */
export interface ResourceKey {
  readonly tenant?: string
  readonly kind: string
  readonly id: string
  readonly ownerId?: string
}

/** Whether a resource with this key can exist. If not, callers skip the statement. */
export function isStorableKey({ id, ownerId = '' }: ResourceKey): boolean {
  return isStorableText(id) && isStorableText(ownerId)
}
