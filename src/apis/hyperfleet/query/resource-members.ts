import type { RegisteredKind } from '../../../core/registry/kind.ts'
import type { Members } from './fields.ts'
import { referenceTypesOf } from './reference-filter.ts'

/** The members that resources of these kinds can have. */
export function membersOf(kinds: readonly RegisteredKind[]): Members {
  const referenceTypes = referenceTypesOf(kinds)
  return {
    kind: 'leaf',
    id: 'leaf',
    href: 'leaf',
    name: 'leaf',
    generation: 'leaf',
    spec: 'document',
    labels: 'map',
    annotations: 'map',
    tenancy: 'map',
    created_time: 'leaf',
    updated_time: 'leaf',
    created_by: 'leaf',
    updated_by: 'leaf',
    deleted_time: 'leaf',
    deleted_by: 'leaf',
    ...(kinds.some(({ parent }) => parent !== null) && {
      owner_references: ['kind', 'id', 'href'],
    }),
    ...(referenceTypes.length > 0 && { references: referenceTypes }),
    status: ['conditions'],
  }
}
