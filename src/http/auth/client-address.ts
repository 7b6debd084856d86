import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { trustedAddresses } from '../../access/trusted-addresses.ts'
import { headerLines } from '../requests/header-lines.ts'

/** Returns the address of the client that sent a request. */
export type ClientAddress = (request: IncomingMessage) => string

/**
 * Follows `X-Forwarded-For` from its last entry while the sender of an entry is a trusted proxy.
 * Entries further left may be invented. `stated` is the address that another server of this
 * installation has determined before it forwarded the request; null for other requests.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  stated: (request: IncomingMessage) => string | null = () => null,
): ClientAddress {
  const trusted = trustedAddresses(trustedProxies)
  const received = (request: IncomingMessage): string => {
    const remote = request.socket.remoteAddress ?? ''
    if (!trusted.has(remote)) return remote
    const entries = headerLines(request, 'x-forwarded-for').join(',').split(',')
    let address = remote
    for (const entry of entries.toReversed()) {
      const sender = addressOf(entry.trim())
      if (sender === null) return address
      address = sender
      if (!trusted.has(address)) return address
    }
    return address
  }
  return (request) => stated(request) ?? received(request)
}

/** Removes the port that some proxies add. Null if the entry is not an address. */
function addressOf(entry: string): string | null {
  const [, bracketed, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(entry) ?? []
  const address = bracketed ?? ipv4 ?? entry
  return isIP(address) === 0 ? null : address
}
