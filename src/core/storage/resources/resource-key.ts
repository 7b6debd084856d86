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

/** Whether PostgreSQL can compare this text at all: it has no NUL, and ids never do. */
export function isStorableText(text: string): boolean {
  return !text.includes('\0')
}

/** Whether a resource with this key can exist; where not, PostgreSQL is not even asked. */
export function isStorableKey({ id, ownerId = '' }: ResourceKey): boolean {
  return isStorableText(id) && isStorableText(ownerId)
}
