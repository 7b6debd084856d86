import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../typescript/src/errors/api-error.ts'

/** The cache of lists and objects. Watches keep it current, so nothing is read again on focus. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      refetchOnWindowFocus: false,
      staleTime: 5000,
      gcTime: 60_000,
      // The SDK repeats transient failures; a server that is down for longer is asked again later.
      retry: (failures, error) => failures < 100 && error instanceof ApiError && error.status === 0,
      retryDelay: 3000,
    },
  },
})
