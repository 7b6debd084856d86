import type { Resource } from '../../model/resource.ts'

/** Maximum number of resources that an error message names. */
export const MAX_NAMED = 10

/** The first resources by kind, name and ID, and the number of further ones. */
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
