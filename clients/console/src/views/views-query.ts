import { queryOptions } from '@tanstack/react-query'
import type { View } from '../../../typescript/src/generated/hyperfleet.ts'
import type { EditTarget } from '../edit/save/save-edit.ts'
import { client } from '../session/connection.ts'
import { FIRING_SEARCH } from './view.ts'

const MAX_SHOWN = 100
/** The servers evaluate alerts once a minute. */
const REFRESH_MS = 15_000

/** The views of the server. */
export const views = () => client.collection<View>('views')

/** The server's copy of a view, for a change. */
export function viewTarget({ id }: Pick<View, 'id'>): EditTarget<View> {
  return {
    read: () => views().getWithTag(id),
    patch: (body, ifMatch) => views().patch(id, body, { ifMatch }),
  }
}

/** The first views of a kind by name. */
export function viewsQuery(kind: string) {
  return queryOptions({
    queryKey: ['views', kind],
    queryFn: ({ signal }) =>
      views()
        .list({ search: `spec.kind='${kind}'`, orderBy: 'name asc', pageSize: MAX_SHOWN, signal })
        .firstPage(),
  })
}

/** The view of a name. */
export function viewQuery(name: string) {
  return queryOptions({
    queryKey: ['view', name],
    queryFn: ({ signal }) => views().getByName(name, { signal }),
  })
}

/** The views whose alerts fire, the newest first. */
export const firingQuery = queryOptions({
  queryKey: ['views', 'firing'],
  refetchInterval: REFRESH_MS,
  queryFn: ({ signal }) =>
    views()
      .list({ search: FIRING_SEARCH, orderBy: 'updated_time desc', pageSize: MAX_SHOWN, signal })
      .firstPage(),
})
