import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/connection.ts'

/** The kinds of the server. */
export const kindsQuery = queryOptions({
  queryKey: ['kinds'],
  staleTime: 300_000,
  queryFn: ({ signal }) => client.kinds({ signal }),
})
