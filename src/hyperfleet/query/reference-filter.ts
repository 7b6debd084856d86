import type { Request } from 'express'
import type { RegisteredKind } from '../../store/registry/kind.ts'
import type { ReferenceFilter } from '../../store/references/reference-filter.ts'

/** The types of references that resources of these kinds can have. */
export function referenceTypesOf(
  kinds: readonly Pick<RegisteredKind, 'references'>[],
): readonly string[] {
  const rules = kinds.flatMap(({ references }) => references)
  return [...new Set(rules.map(({ type }) => type))]
}

/** The filter of `ref_type` and `ref_target_id` of a validated request; null without them. */
export function referenceFilterOf(
  { query }: Request,
  kinds: readonly RegisteredKind[],
): ReferenceFilter | null {
  const types = referenceTypesOf(kinds)
  const { ref_type: type, ref_target_id: targetId } = query
  // Kinds without references do not have these parameters.
  if (types.length === 0 || (type === undefined && targetId === undefined)) return null
  return {
    types: typeof type === 'string' ? [type] : types,
    targetId: typeof targetId === 'string' ? targetId : null,
  }
}
