import { queryOptions } from '@tanstack/react-query'
import type { View } from '../../../typescript/src/generated/hyperfleet.ts'
import type { EditTarget } from '../edit/save/save-edit.ts'
import { client } from '../session/connection.ts'
import { FIRING_SEARCH } from './view.ts'

const MAX_FIRING = 100
const PAGE_SIZE = 500
/** The servers evaluate alerts once a minute. */
const REFRESH_MS = 15_000

/** The server's copy of a view, for a change. */
export function viewTarget({ id }: Pick<View, 'id'>): EditTarget<View> {
  return {
    read: () => client.views.getWithTag(id),
    patch: (body, ifMatch) => client.views.patch(id, body, { ifMatch }),
  }
}

/** The views of a kind by name. */
export function viewsQuery(kind: string) {
  return queryOptions({
    queryKey: ['views', kind],
    queryFn: async ({ signal }) => {
      const search = `spec.kind='${kind}'`
      const views = await client.views.list({ search, pageSize: PAGE_SIZE, signal }).toArray()
      return views.toSorted((one, other) => one.name.localeCompare(other.name))
    },
  })
}

/** The view of a name. */
export function viewQuery(name: string) {
  return queryOptions({
    queryKey: ['view', name],
    queryFn: ({ signal }) => client.views.getByName(name, { signal }),
  })
}

/**
 * The version of a view that this page opened last, which the list of the view is based on. Those who
 * open a view set it; the first version that is read counts for lists that a link opened.
 */
export function openedViewQuery(name: string) {
  return queryOptions({
    queryKey: ['opened view', name],
    staleTime: Infinity,
    gcTime: Infinity,
    queryFn: ({ signal }) => client.views.getByName(name, { signal }),
  })
}

/** The views whose alerts fire, the newest first. */
export const firingQuery = queryOptions({
  queryKey: ['views', 'firing'],
  refetchInterval: REFRESH_MS,
  queryFn: ({ signal }) =>
    client.views
      .list({ search: FIRING_SEARCH, orderBy: 'updated_time desc', pageSize: MAX_FIRING, signal })
      .firstPage(),
})
