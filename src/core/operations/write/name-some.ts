import type { Resource } from '../../model/resource.ts'

/** How many resources a refusal names. */
export const MAX_NAMED = 10

/** The first of the resources by kind, name and id, and how many more there are. */
export function nameSome(
  resources: readonly Pick<Resource, 'kind' | 'name' | 'id'>[],
  total = resources.length,
): string {
  const named = resources
    .slice(0, MAX_NAMED)
    .map(({ kind, name, id }) => `${kind} '${name}' (${id})`)
  const more = total > named.length ? ` and ${total - named.length} more` : ''
  return named.join(', ') + more
}
