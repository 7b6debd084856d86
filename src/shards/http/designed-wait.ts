import { SAFE_METHODS } from '../../lib/safe-methods.ts'
import { BASE_PATH } from '../../hyperfleet/paths/base-path.ts'

/** The maximum `waitSeconds` of a lease. */
const LEASE_MS = 60_000
/** The maximum `wait` or `timeout` of a request to a plane. */
const PLANE_MS = 600_000

const LEASE = /^\/adapters\/[^/]+\/lease$/

interface RoutedRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, unknown>>
}

/**
 * How long a request may wait by design before the response begins: for work, for a condition, or for
 * the admission webhooks of a plane. The body of a write can ask for a wait, and the router does not
 * read bodies, so every write to a plane counts.
 */
export function designedWaitMs({ method, path, query }: RoutedRequest): number {
  if (path.startsWith(`${BASE_PATH}/`))
    return LEASE.test(path.slice(BASE_PATH.length)) ? LEASE_MS : 0
  return query['wait'] !== undefined || !SAFE_METHODS.has(method) ? PLANE_MS : 0
}
