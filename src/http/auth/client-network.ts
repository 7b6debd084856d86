import { isIPv6 } from 'node:net'

const GROUPS = 8
const NETWORK_GROUPS = 4
const MAPPED_IPV4 = '0:0:0:0:0:ffff'

/**
 * The part of an address that a client cannot choose: one client usually has all addresses of an
 * IPv6 network of 64 bits.
 */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return address
  const groups = groupsOf(bare)
  if (groups.slice(0, 6).join(':') === MAPPED_IPV4) return groups.slice(6).join(':')
  return groups.slice(0, NETWORK_GROUPS).join(':')
}

/** The eight groups of an address, in hexadecimal without leading zeros. */
function groupsOf(address: string): readonly string[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [left, right] = canonical
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''))
  if (left === undefined || right === undefined) return left ?? []
  const zeros = GROUPS - left.length - right.length
  return [...left, ...Array.from({ length: zeros }, () => '0'), ...right]
}
