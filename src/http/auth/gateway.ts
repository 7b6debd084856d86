import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { FlotillaError } from '../../lib/errors.ts'
import { encodeTenant } from '../../core/model/tenant.ts'
import type { Principal } from './caller.ts'
import { gatewayHeaderName } from '../../core/auth/header-name.ts'
import { readHeader } from './header-value.ts'
import type { TenantHeader } from '../../core/auth/tenant-headers.ts'
import { identityMissing } from './token-refusal.ts'
import { trustedAddresses } from '../../core/auth/trusted-addresses.ts'

/** The tenant of a caller. */
export type Tenancy =
  /** The server has no tenancy. */
  | { readonly type: 'none' }
  /** The caller works for all tenants, as sentinels and adapters do. */
  | { readonly type: 'system' }
  | { readonly type: 'tenant'; readonly tenant: string }

/** The settings of the headers that a gateway in front of the server sets. */
export interface GatewaySettings {
  /** Addresses and networks of the gateway: from others, its headers are ignored. */
  readonly trustedProxies: readonly string[]
  readonly identityHeader: string
  readonly systemHeader: string
  /** Empty: the server has no tenancy. */
  readonly tenantHeaders: readonly TenantHeader[]
}

/** Reads what a trusted gateway says about a caller. */
export interface Gateway {
  /** The principal under the identity that the gateway states; `unauthenticated` if that cannot be used. */
  identify(request: IncomingMessage, principal: Principal): Principal
  /** `forbidden` if the server has tenancy and the caller neither is a system nor has a tenant. */
  tenancyOf(request: IncomingMessage): Tenancy
}

const NO_TENANCY: Tenancy = { type: 'none' }
const SYSTEM: Tenancy = { type: 'system' }

/** Throws if the settings contradict each other. */
export function createGateway(settings: GatewaySettings): Gateway {
  const { trustedProxies, tenantHeaders } = settings
  const trusted = trustedAddresses(trustedProxies)
  const identityHeader = headerOf('IDENTITY_HEADER', settings.identityHeader)
  const systemHeader = headerOf('SYSTEM_HEADER', settings.systemHeader)
  const names = [identityHeader, systemHeader, ...tenantHeaders.map(({ header }) => header)]
  if (new Set(names).size < names.length) {
    throw new Error('IDENTITY_HEADER, SYSTEM_HEADER and TENANT_HEADERS: each needs its own header')
  }
  if (tenantHeaders.length > 0 && trustedProxies.length === 0) {
    throw new Error('TENANT_HEADERS needs TRUSTED_PROXIES: the addresses of the gateway')
  }
  const isTrusted = oncePerSocket((socket) => trusted.has(socket.remoteAddress))
  return {
    identify: (request, principal) => {
      if (trustedProxies.length === 0 || !isTrusted(request.socket)) return principal
      const user = readHeader(request, identityHeader)
      if (user === null) return principal
      if (typeof user === 'string') return { ...principal, user }
      throw identityMissing(`The header ${settings.identityHeader} cannot be used: ${user.problem}`)
    },
    tenancyOf: (request) => {
      if (tenantHeaders.length === 0) return NO_TENANCY
      if (!isTrusted(request.socket)) throw untrusted()
      if (isSystem(request, systemHeader)) return SYSTEM
      return { type: 'tenant', tenant: tenantOf(request, tenantHeaders) }
    },
  }
}

function headerOf(setting: string, name: string): string {
  try {
    return gatewayHeaderName(name)
  } catch (error) {
    throw new Error(`${setting}: ${String(error instanceof Error ? error.message : error)}`, {
      cause: error,
    })
  }
}

/** A connection's address never changes, and comparing networks costs more than a look-up. */
function oncePerSocket(check: (socket: Socket) => boolean): (socket: Socket) => boolean {
  const known = new WeakMap<Socket, boolean>()
  return (socket) => {
    const answer = known.get(socket) ?? check(socket)
    known.set(socket, answer)
    return answer
  }
}

/** A gateway marks every caller: what it says twice, or cannot be read, is no mark. */
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

function noTenant(reason: string): FlotillaError {
  return new FlotillaError('forbidden', `The request has no tenant: ${reason}`)
}

function untrusted(): FlotillaError {
  return noTenant('it did not come through a trusted gateway')
}
