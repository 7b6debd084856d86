import { isIP } from 'node:net'
import { SettingError } from '../../lib/setting-error.ts'
import { errorMessage } from '../../lib/error-message.ts'
import { addressRanges, type AddressRanges, isPublicAddress } from './address-ranges.ts'

/** The host of a URL may not be called; the message names it and the setting. */
export class HostNotAllowedError extends Error {
  override readonly name = 'HostNotAllowedError'
}

/** The servers outside of this program that may be called. */
export interface HostRules {
  /** Throws a HostNotAllowedError unless the scheme and the host of the URL are allowed. */
  requireUrl(url: URL): void
  /** Throws a HostNotAllowedError if the address that a name resolves to is not allowed. */
  requireAddress(host: string, address: string): void
}

const PLAIN = 'http://'
const NAME = /^(\*|(\*\.)?[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?)$/

interface NameRule {
  /** Exact name, `*.suffix`, or `*`. */
  readonly pattern: string
  /** Whether plain HTTP is allowed too. */
  readonly allowsHttp: boolean
}

/**
 * Rules from a list of exact names, `*.suffix`, `*` and addresses or networks. `http://` before a
 * name or address allows plain HTTP too. Addresses of this machine and of private networks are
 * allowed only if the list contains them, even if an allowed name resolves to one. Messages name the
 * setting that the list comes from. Throws a SettingError if an entry has another form.
 */
export function hostRules(setting: string, entries: readonly string[]): HostRules {
  const names: NameRule[] = []
  const networks: string[] = []
  const plainNetworks: string[] = []
  for (const entry of entries) {
    const allowsHttp = entry.startsWith(PLAIN)
    const pattern = (allowsHttp ? entry.slice(PLAIN.length) : entry).toLowerCase()
    if (isIP(pattern.split('/')[0] ?? '') === 0) {
      if (!NAME.test(pattern)) throw new SettingError(`${setting}: '${entry}' is not a host`)
      names.push({ pattern, allowsHttp })
    } else {
      networks.push(pattern)
      if (allowsHttp) plainNetworks.push(pattern)
    }
  }
  return rulesOf({
    setting,
    names,
    networks: rangesOf(setting, networks),
    plainNetworks: rangesOf(setting, plainNetworks),
  })
}

interface Entries {
  readonly setting: string
  readonly names: readonly NameRule[]
  readonly networks: AddressRanges
  readonly plainNetworks: AddressRanges
}

function rulesOf({ setting, names, networks, plainNetworks }: Entries): HostRules {
  return {
    requireUrl: (url) => {
      const isPlain = url.protocol === 'http:'
      if (!isPlain && url.protocol !== 'https:') {
        throw new HostNotAllowedError(`the scheme of ${url.origin} is not https`)
      }
      const host = hostOf(url)
      if (isIP(host) !== 0) {
        if ((isPlain ? plainNetworks : networks).contains(host)) return
      } else if (names.some((rule) => (rule.allowsHttp || !isPlain) && matchesName(rule, host))) {
        return
      }
      const listed = isPlain ? `with http:// ` : ''
      throw new HostNotAllowedError(`host ${host} is not listed ${listed}in ${setting}`)
    },
    requireAddress: (host, address) => {
      if (isPublicAddress(address) || networks.contains(address)) return
      // The address is omitted: callers must not learn the names and addresses of a private network.
      throw new HostNotAllowedError(
        `host ${host} resolves to an address that is not public and not listed in ${setting}`,
      )
    },
  }
}

function rangesOf(setting: string, texts: readonly string[]): AddressRanges {
  try {
    return addressRanges(texts)
  } catch (cause) {
    throw new SettingError(`${setting}: ${errorMessage(cause)}`, { cause })
  }
}

/** The host of a URL in lower case, without the brackets of IPv6 and a final dot. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
}

function matchesName({ pattern }: NameRule, host: string): boolean {
  if (pattern === '*') return true
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern
}
