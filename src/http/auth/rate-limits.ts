import type { IncomingMessage } from 'node:http'
import { type AdministratorName, isAdministrator } from '../../access/administrators.ts'
import type { Caller } from '../../access/principal.ts'
import { FlotillaError, type Reason } from '../../lib/errors.ts'
import { createRateLimiter } from '../../lib/rate-limiter.ts'
import { HttpError } from '../errors/http-error.ts'
import { SAFE_METHODS } from '../../lib/safe-methods.ts'
import type { ClientAddress } from './client-address.ts'
import { clientNetwork } from './client-network.ts'
import { identityOf } from './caller-identity.ts'

/** The limits of each caller. */
export interface RateLimitSettings {
  /** Reads per second; 0 for no limit. */
  readonly rateLimitReads: number
  /** Writes per second; 0 for no limit. */
  readonly rateLimitWrites: number
  /** The seconds of requests that a caller may send together. */
  readonly rateLimitBurstSeconds: number
  readonly rateLimitExempt: readonly AdministratorName[]
}

/** The requests that a limit counts. */
type LimitScope = 'read' | 'write' | 'authentication'

/** Limits the rate of requests of each caller. */
export interface RateLimits {
  /** Counts a request. Throws `too-many-requests` if its sender has sent too many. */
  requireAllowed(request: IncomingMessage, caller: Caller | null): void
  /**
   * Authenticates a request. Failures count as reads of the network. Beyond the limit, the error is
   * `too-many-requests`; valid credentials from the same network are still accepted.
   */
  authenticated<T>(request: IncomingMessage, authenticate: () => Promise<T>): Promise<T>
}

interface Options {
  /** Read for each request, because a reload can change them. */
  readonly settings: () => RateLimitSettings
  readonly clientAddress: ClientAddress
  readonly onLimited: (scope: LimitScope) => void
  readonly now?: () => number
}

/** Callers that a server counts at the same time. */
const MAX_CALLERS = 20_000
const AUTHENTICATION_FAILURES: ReadonlySet<Reason> = new Set([
  'unauthenticated',
  'invalid-token',
  'token-expired',
])

export function createRateLimits(options: Options): RateLimits {
  const { settings, clientAddress, onLimited, now } = options
  const limiter = createRateLimiter({ maxKeys: MAX_CALLERS, ...(now && { now }) })

  function take(scope: LimitScope, senderOf: () => string): void {
    const { rateLimitReads, rateLimitWrites, rateLimitBurstSeconds } = settings()
    const perSecond = scope === 'write' ? rateLimitWrites : rateLimitReads
    if (perSecond === 0) return
    const burst = perSecond * rateLimitBurstSeconds
    const waitMs = limiter.take(`${scope} ${senderOf()}`, { perSecond, burst })
    if (waitMs === 0) return
    onLimited(scope)
    throw tooMany(scope, perSecond, waitMs)
  }

  const networkOf = (request: IncomingMessage) => clientNetwork(clientAddress(request))

  return {
    requireAllowed: (request, caller) => {
      const { rateLimitExempt } = settings()
      if (caller !== null && isExempt(caller, rateLimitExempt)) return
      const isRead = SAFE_METHODS.has(request.method ?? '')
      take(isRead ? 'read' : 'write', () => identityOf(caller) ?? networkOf(request))
    },
    authenticated: async (request, authenticate) => {
      try {
        return await authenticate()
      } catch (error) {
        if (error instanceof FlotillaError && AUTHENTICATION_FAILURES.has(error.reason)) {
          take('authentication', () => networkOf(request))
        }
        throw error
      }
    },
  }
}

/** Whether a caller has no limits. Systems, which a trusted gateway marks, work for all tenants. */
export function isExempt(
  { user, groups, tenancy }: Caller,
  exempt: readonly AdministratorName[],
): boolean {
  return tenancy.type === 'system' || isAdministrator(exempt, { name: user, groups })
}

const REQUESTS: Readonly<Record<LimitScope, string>> = {
  read: 'reads',
  write: 'writes',
  authentication: 'failed authentications',
}

function tooMany(scope: LimitScope, perSecond: number, waitMs: number): HttpError {
  const seconds = Math.ceil(waitMs / 1000)
  const message = `More than ${perSecond} ${REQUESTS[scope]} per second: try again in ${seconds} s`
  return new HttpError('too-many-requests', message, {
    headers: { 'Retry-After': String(seconds) },
  })
}
