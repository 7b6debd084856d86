import { isIPv4, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'

/** A host and an optional port, as the `Host` header has them. */
const AUTHORITY = /^(\[[^[\]]*\]|[a-z0-9_.-]+)(?::\d*)?$/i
const NAME = /^(\*\.)?[a-z0-9_]([a-z0-9_.-]{0,251}[a-z0-9_])?$/
const LOOPBACK_NAME = /(^|\.)localhost$/

/** Reads names between commas: exact ones, and `*.suffix` for the names below a domain. */
export function readAllowedHosts(text: string): readonly string[] {
  const entries = text.split(',').map((entry) => entry.trim())
  return entries.filter((entry) => entry !== '').map(readName)
}

function readName(entry: string): string {
  if (entry === '*') {
    throw new Error("'*' would allow every name, and with it every web page: list the names")
  }
  const [wildcard, domain] = entry.startsWith('*.') ? ['*.', entry.slice(2)] : ['', entry]
  const isOther = /[^\p{L}\p{M}\p{N}._-]/u.test(domain)
  const name = wildcard + (isOther ? '' : domainToASCII(domain.replace(/\.$/, '')))
  if (NAME.test(name)) return name
  throw new Error(
    `expected names without scheme and port, such as flotilla.example.com or *.example.com, found '${entry}'`,
  )
}

/**
 * Whether a `Host` is an IP address, a loopback name, or an allowed name. DNS rebinding needs another
 * name. Numbers that only resolvers read as addresses, such as 2130706433, count as names.
 */
export function isServedHost(authority: string, allowed: readonly string[]): boolean {
  const [, host = ''] = AUTHORITY.exec(authority) ?? []
  if (host.startsWith('[')) return isIPv6(host.slice(1, -1))
  if (isIPv4(host)) return true
  const name = host.toLowerCase().replace(/\.$/, '')
  return LOOPBACK_NAME.test(name) || allowed.some((entry) => matches(entry, name))
}

function matches(entry: string, name: string): boolean {
  return entry.startsWith('*.') ? name.endsWith(entry.slice(1)) : name === entry
}
