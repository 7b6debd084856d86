import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { FlotillaError } from '../../lib/errors.ts'
import { decodeTenant, encodeTenant, isTenantIn } from '../../access/tenant.ts'
import type { Caller, Principal, Tenancy } from '../../access/principal.ts'
import { gatewayRules, type GatewaySettings } from '../../access/gateway-settings.ts'
import { nameIn } from '../../access/name-prefixes.ts'
import { readHeader } from './header-value.ts'
import type { TenantHeader } from '../../access/tenant-headers.ts'
import { unusableIdentity } from './tokens/token-errors.ts'

/** Reads the headers that a trusted gateway sets. */
export interface Gateway {
  /**
   * The caller of a request: the principal with the identity and the tenant from the gateway's
   * headers. The prefix of the token's issuer precedes that identity. Throws `unauthenticated` if
   * that identity is unusable. If the server has tenancy, throws `forbidden` for a caller that is
   * neither in a tenant nor a system, and for a tenant that the issuer of the caller's token is not
   * bound to.
   */
  callerOf(request: IncomingMessage, principal: Principal): Caller
  /**
   * The caller of a request with the token of a sandbox, which passes no gateway: it has the tenant
   * of its plane, null for none. If a trusted gateway states a tenant or a system, that one decides.
   */
  sandboxCaller(request: IncomingMessage, principal: Principal, tenant: string | null): Caller
  /** The tenancy of a request, without its principal. Throws as `callerOf` does. */
  tenancyOf(request: IncomingMessage): Tenancy
}

const OTHER_ISSUER = 'it begins with the prefix of another issuer than that of the token'
const NO_TENANCY: Tenancy = { type: 'none' }
const SYSTEM: Tenancy = { type: 'system' }

/**
 * Creates a gateway. Headers are also trusted in requests that another server of this installation
 * has forwarded. Throws if the settings contradict each other.
 */
export function createGateway(
  settings: GatewaySettings,
  isForwarded: (request: IncomingMessage) => boolean = () => false,
): Gateway {
  const { trustedProxies, tenantHeaders } = settings
  const { trusted, identityHeader, systemHeader } = gatewayRules(settings)
  const isTrustedSocket = oncePerSocket((socket) => trusted.has(socket.remoteAddress))
  const isTrusted = (request: IncomingMessage): boolean =>
    isTrustedSocket(request.socket) || isForwarded(request)
  const statedUser = (request: IncomingMessage, { bounds }: Principal): string | null => {
    if (trustedProxies.length === 0 || !isTrusted(request)) return null
    const stated = readHeader(request, identityHeader)
    if (stated === null) return null
    const user = typeof stated === 'string' ? nameIn(bounds.users, stated) : null
    if (user !== null) return user
    const problem = typeof stated === 'string' ? OTHER_ISSUER : stated.problem
    throw unusableIdentity(`The header ${settings.identityHeader} cannot be used: ${problem}`)
  }
  const tenancyOf = (request: IncomingMessage): Tenancy => {
    if (tenantHeaders.length === 0) return NO_TENANCY
    if (!isTrusted(request)) throw untrusted()
    if (isSystem(request, systemHeader)) return SYSTEM
    return { type: 'tenant', tenant: tenantOf(request, tenantHeaders) }
  }
  const callerOf = (request: IncomingMessage, principal: Principal): Caller => {
    const stated = statedUser(request, principal)
    const tenancy = tenancyOf(request)
    requireBound(principal, tenancy)
    return {
      ...principal,
      user: stated ?? principal.user,
      tenancy,
      isFromGateway: stated !== null,
    }
  }
  const tenancyHeaders = [systemHeader, ...tenantHeaders.map(({ header }) => header)]
  const statesTenancy = (request: IncomingMessage): boolean =>
    isTrusted(request) && tenancyHeaders.some((name) => request.headers[name] !== undefined)
  return {
    callerOf,
    sandboxCaller: (request, principal, tenant) => {
      if (tenantHeaders.length === 0 || statesTenancy(request)) return callerOf(request, principal)
      const tenancy: Tenancy = tenant === null ? NO_TENANCY : { type: 'tenant', tenant }
      return { ...principal, tenancy, isFromGateway: false }
    },
    tenancyOf,
  }
}

/** Caches a check by connection, because matching networks costs more than a look-up. */
function oncePerSocket(check: (socket: Socket) => boolean): (socket: Socket) => boolean {
  const results = new WeakMap<Socket, boolean>()
  return (socket) => {
    const result = results.get(socket) ?? check(socket)
    results.set(socket, result)
    return result
  }
}

/** Whether the header marks a system. A repeated or unreadable header does not. */
function isSystem(request: IncomingMessage, header: string): boolean {
  const mark = readHeader(request, header)
  return typeof mark === 'string' && mark.toLowerCase() === 'true'
}

function tenantOf(request: IncomingMessage, headers: readonly TenantHeader[]): string {
  const dimensions: Record<string, string> = {}
  for (const { dimension, label, header } of headers) {
    const value = readHeader(request, header)
    if (typeof value !== 'string') {
      throw noTenant(
        `the header ${label} ${value === null ? 'is missing' : `cannot be used: ${value.problem}`}`,
      )
    }
    dimensions[dimension] = value
  }
  return encodeTenant(dimensions)
}

function requireBound({ bounds: { tenants } }: Principal, tenancy: Tenancy): void {
  if (tenants === null) return
  if (tenancy.type !== 'tenant') {
    throw new FlotillaError('forbidden', "The token's issuer is bound to tenants: name one of them")
  }
  if (!isTenantIn(tenants, decodeTenant(tenancy.tenant))) {
    throw new FlotillaError('forbidden', "The token's issuer is not bound to the request's tenant")
  }
}

function noTenant(reason: string): FlotillaError {
  return new FlotillaError('forbidden', `The request has no tenant: ${reason}`)
}

function untrusted(): FlotillaError {
  return noTenant('it did not come through a trusted gateway')
}
