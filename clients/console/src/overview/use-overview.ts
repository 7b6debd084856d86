import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Overview } from '../../../typescript/src/generated/hyperfleet.ts'
import type { WatchEvent } from '../../../typescript/src/watch/watch-event.ts'
import { queryClient } from '../data/query-client.ts'
import { useLive } from '../live/use-live.ts'
import { client } from '../session/connection.ts'

const KEY = ['overview']

/** The counts of all resources. The stream of the page replaces them at most once per second. */
export function useOverview() {
  const overview = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => client.overview({ signal }),
  })
  const onBatch = useCallback((events: readonly WatchEvent<Overview>[]) => {
    const last = events.at(-1)
    if (last?.type === 'MODIFIED' || last?.type === 'ADDED') {
      queryClient.setQueryData(KEY, last.object)
    }
  }, [])
  useLive<Overview>({ key: 'overview', open: (start) => client.watchOverview(start), onBatch })
  return overview
}
