import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/connection.ts'

/** The caller of this tab. */
export const whoAmIQuery = queryOptions({
  queryKey: ['whoami'],
  staleTime: 300_000,
  queryFn: ({ signal }) => client.whoami({ signal }),
})
