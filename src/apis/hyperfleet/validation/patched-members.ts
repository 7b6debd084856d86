import type { RegisteredKind } from '../../../core/registry/kind.ts'

/** The members of a resource of this kind that a patch can change. */
export function patchedMembers({ references }: RegisteredKind): readonly string[] {
  return ['spec', 'labels', 'annotations', ...(references.length > 0 ? ['references'] : [])]
}
