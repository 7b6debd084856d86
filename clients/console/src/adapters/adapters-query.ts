import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { client } from '../session/connection.ts'

/** The server shares its answers, and repeats them for longer if they are expensive. */
const REFRESH_MS = 5000

/** The adapters of a kind. */
export function adaptersQuery(kind: string) {
  return queryOptions({
    queryKey: ['adapters', kind],
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => client.adapters({ kind, signal }),
  })
}
