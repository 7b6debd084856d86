import type { AdministratorName } from '../../access/administrators.ts'
import type { Caller } from '../../access/principal.ts'
import { isExempt } from '../auth/rate-limits.ts'

/** The classes of requests that need a seat, with the seats that other classes cannot take. */
export const CLASS_SEATS = {
  systems: 32,
  adapters: 32,
  controllers: 16,
  users: 24,
  tenants: 24,
} as const

export type RequestClass = keyof typeof CLASS_SEATS

export const REQUEST_CLASSES: readonly RequestClass[] = [
  'systems',
  'adapters',
  'controllers',
  'users',
  'tenants',
]

/** Probes, and what keeps the leases of their holders. */
const EXEMPT: readonly RegExp[] = [
  /^(?:\/[^/]+\/[^/]+\/control-plane)?\/(?:livez|readyz|healthz)(?:\/[^/]+)?$/,
  /^(?:\/[^/]+\/[^/]+\/control-plane)?\/apis\/coordination\.k8s\.io\/v1\/namespaces\/[^/]+\/leases\/[^/]+$/,
  /^\/api\/[^/]+\/v1\/adapters\/[^/]+\/leases\/[^/]+(?:\/renew)?$/,
]
/** Reports of adapters, and the work that they lease. */
const ADAPTERS = /^\/api\/[^/]+\/v1\/(?:.+\/statuses|adapters\/[^/]+\/lease)$/

interface Classified {
  readonly method: string
  readonly path: string
  /** Null on public paths. */
  readonly caller: Caller | null
  /** The callers without rate limits, which are systems. */
  readonly exempt: readonly AdministratorName[]
}

/** The class of a request; null if it needs no seat. */
export function requestClass({ method, path, caller, exempt }: Classified): RequestClass | null {
  if (EXEMPT.some((pattern) => pattern.test(path))) return null
  if (caller === null) return 'users'
  if (isExempt(caller, exempt)) return 'systems'
  if (method !== 'GET' && ADAPTERS.test(path)) return 'adapters'
  if (caller.user.startsWith('system:serviceaccount:')) return 'controllers'
  return caller.tenancy.type === 'tenant' ? 'tenants' : 'users'
}
