import { CSPProvider } from '@base-ui/react/csp-provider'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { queryClient } from '../data/query-client.ts'
import { cspNonce } from '../design/csp-nonce.ts'
import { router } from './router.tsx'

/** The console. */
export function App() {
  return (
    <CSPProvider nonce={cspNonce()}>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </CSPProvider>
  )
}
