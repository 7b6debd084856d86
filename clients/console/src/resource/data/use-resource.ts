import { useQuery, useQueryClient } from '@tanstack/react-query'
import { NotFound } from '../../../../typescript/src/index.ts'
import { useLive } from '../../live/use-live.ts'
import { client } from '../../session/connection.ts'
import type { KindResource } from './kind-resource.ts'
import { changesQuery, familySearch, reportsQuery, resourceQuery } from './resource-query.ts'
import { useThrottled } from './use-throttled.ts'
import { applyEvents } from './resource-state.ts'

/** Reports and changes have no events on this page: they are read after those of the resource. */
const DETAILS_MS = 300

/** A resource with its children, kept current by one watch of both. */
export function useResource(plural: string, id: string) {
  const queries = useQueryClient()
  const { queryKey } = resourceQuery(plural, id)
  const query = useQuery(resourceQuery(plural, id))
  const { data } = query
  const readDetails = useThrottled(() => {
    void queries.invalidateQueries({ queryKey: reportsQuery(id).queryKey })
    void queries.invalidateQueries({ queryKey: changesQuery(plural, id).queryKey })
  }, DETAILS_MS)
  useLive<KindResource>(
    data === undefined
      ? null
      : {
          key: `resource ${plural}/${id}`,
          from: data.resourceVersion,
          open: (start) =>
            client
              .collection<KindResource>('resources')
              .watch({ ...start, search: familySearch(id) }),
          onBatch: (events) => {
            queries.setQueryData(queryKey, (state) => state && applyEvents(state, events))
            readDetails()
          },
          onReset: async () => {
            try {
              const fresh = await queries.fetchQuery({ ...resourceQuery(plural, id), staleTime: 0 })
              return fresh.resourceVersion
            } catch (error) {
              if (!(error instanceof NotFound)) throw error
              queries.setQueryData(queryKey, (state) => state && { ...state, isRemoved: true })
              throw error
            }
          },
        },
  )
  return query
}
