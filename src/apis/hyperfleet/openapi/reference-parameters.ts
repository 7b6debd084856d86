import type { JsonObject } from '../../../lib/json/json.ts'
import type { RegisteredKind } from '../../../core/registry/kind.ts'
import { referenceTypesOf } from '../query/reference-filter.ts'

/** The parameters that filter a list by references; none unless a kind declares references. */
export function referenceParameters(kinds: readonly RegisteredKind[]): readonly JsonObject[] {
  const types = referenceTypesOf(kinds)
  if (types.length === 0) return []
  return [
    {
      name: 'ref_type',
      in: 'query',
      description: 'Returns only resources with a reference of this type.',
      schema: { type: 'string', enum: types },
    },
    {
      name: 'ref_target_id',
      in: 'query',
      allowReserved: true,
      description:
        'Returns only resources that refer to the resource with this ID. With `ref_type`, the reference must have that type.',
      schema: { type: 'string', minLength: 1 },
    },
  ]
}
