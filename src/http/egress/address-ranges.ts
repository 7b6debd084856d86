import { BlockList, isIPv4, isIPv6 } from 'node:net'

type Range = readonly [network: string, prefix: number]

/** IPv4 ranges that are not addresses of the public internet. */
const SPECIAL_V4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** The public unicast addresses of IPv6, and the ranges in it that embed an IPv4 address. */
const GLOBAL_V6: Range = ['2000::', 3]
const SPECIAL_V6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

const specialV4 = listOf(SPECIAL_V4, 'ipv4')
const globalV6 = listOf([GLOBAL_V6], 'ipv6')
const specialV6 = listOf(SPECIAL_V6, 'ipv6')

function listOf(ranges: readonly Range[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family)
  return list
}

/** Whether the address belongs to the public internet: not to this machine or a private network. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !specialV4.check(address, 'ipv4')
  // Mapped and translated IPv4 addresses are outside the global range.
  return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6')
}

/** The addresses and networks of a list. */
export interface AddressRanges {
  contains(address: string): boolean
}

/** Ranges of addresses and networks such as `10.0.0.0/8`. Throws if one is neither. */
export function addressRanges(texts: readonly string[]): AddressRanges {
  const list = new BlockList()
  for (const text of texts) addRange(list, text)
  return {
    // A mapped IPv4 address also matches the ranges of IPv4.
    contains: (address) => list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6'),
  }
}

function addRange(list: BlockList, text: string): void {
  const [network = '', length] = text.split('/')
  const family = isIPv4(network) ? 'ipv4' : 'ipv6'
  const longest = family === 'ipv4' ? 32 : 128
  const prefix = length === undefined ? longest : Number(length)
  const isNetwork = isIPv4(network) || isIPv6(network)
  if (!isNetwork || !/^\d{1,3}$/.test(length ?? '0') || prefix > longest) {
    throw new Error(`'${text}' is not an address or a network such as 10.0.0.0/8`)
  }
  list.addSubnet(network, prefix, family)
}
