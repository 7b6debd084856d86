import { isStorableText } from '../database/storable-text.ts'

/**
 * Identifies a resource in a request: with `ownerId` if the path has it, and with the caller's
 * tenant.
 */
export interface ResourceKey {
  readonly tenant?: string
  readonly kind: string
  readonly id: string
  readonly ownerId?: string
}

/** Whether a resource with this key can exist. If not, callers skip the statement. */
export function isStorableKey({ id, ownerId = '' }: Pick<ResourceKey, 'id' | 'ownerId'>): boolean {
  return isStorableText(id) && isStorableText(ownerId)
}
