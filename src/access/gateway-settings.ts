import { gatewayHeaderName } from './header-name.ts'
import type { TenantHeader } from './tenant-headers.ts'
import { type TrustedAddresses, trustedAddresses } from './trusted-addresses.ts'

/** The settings for the headers that a gateway in front of the server sets. */
export interface GatewaySettings {
  /** Addresses and networks of the gateway. Headers from other addresses are ignored. */
  readonly trustedProxies: readonly string[]
  readonly identityHeader: string
  readonly systemHeader: string
  /** If empty, the server has no tenancy. */
  readonly tenantHeaders: readonly TenantHeader[]
}

/** Validated settings of a gateway. Header names are in lower case. */
interface GatewayRules {
  readonly trusted: TrustedAddresses
  readonly identityHeader: string
  readonly systemHeader: string
}

/** Validates the settings. Throws if they contradict each other or name an unusable header. */
export function gatewayRules(settings: GatewaySettings): GatewayRules {
  const { trustedProxies, tenantHeaders } = settings
  const trusted = trustedAddresses(trustedProxies)
  const identityHeader = headerOf('identity of GATEWAY_HEADERS', settings.identityHeader)
  const systemHeader = headerOf('system of GATEWAY_HEADERS', settings.systemHeader)
  const names = [identityHeader, systemHeader, ...tenantHeaders.map(({ header }) => header)]
  if (new Set(names).size < names.length) {
    throw new Error('GATEWAY_HEADERS and TENANT_HEADERS: each needs its own header')
  }
  if (tenantHeaders.length > 0 && trustedProxies.length === 0) {
    throw new Error('TENANT_HEADERS needs TRUSTED_PROXIES: the addresses of the gateway')
  }
  return { trusted, identityHeader, systemHeader }
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
