import type { JsonObject } from '../../../lib/json/json.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'
import { referenceTypesOf } from '../query/reference-filter.ts'

/** The parameters that filter a list by references; none where the kinds declare none. */
export function referenceParameters(kinds: readonly RegisteredKind[]): readonly JsonObject[] {
  const types = referenceTypesOf(kinds)
  if (types.length === 0) return []
  return [
    {
      name: 'ref_type',
      in: 'query',
      description: 'Only what has a reference of this type',
      schema: { type: 'string', enum: types },
    },
    {
      name: 'ref_target_id',
      in: 'query',
      allowReserved: true,
      description: 'Only what refers to the resource with this id, with `ref_type` by that type',
      schema: { type: 'string', minLength: 1 },
    },
  ]
}
