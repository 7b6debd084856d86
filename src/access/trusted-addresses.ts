import { BlockList, isIP } from 'node:net'

/** The addresses of gateways whose headers are trusted. */
export interface TrustedAddresses {
  has(address: string | undefined): boolean
}

/** Reads addresses and networks such as `10.0.0.7` or `fd00::/8`. Throws if one is invalid. */
export function trustedAddresses(entries: readonly string[]): TrustedAddresses {
  const list = new BlockList()
  for (const entry of entries) add(list, entry)
  return {
    has: (address) => {
      if (address === undefined || entries.length === 0) return false
      const bare = withoutZone(address)
      return isIP(bare) !== 0 && list.check(bare, familyOf(bare))
    },
  }
}

function add(list: BlockList, entry: string): void {
  const [address = '', bits, ...rest] = entry.split('/')
  const version = isIP(address)
  const addressBits = version === 4 ? 32 : 128
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= addressBits)
  if (version === 0 || !isPrefix || rest.length > 0) {
    throw new Error(
      `TRUSTED_PROXIES: expected an IP address or a network such as 10.0.0.0/8, found '${entry}'`,
    )
  }
  list.addSubnet(address, bits === undefined ? addressBits : Number(bits), familyOf(address))
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 4 ? 'ipv4' : 'ipv6'
}

/** Removes the interface name from a link-local address. */
function withoutZone(address: string): string {
  const zone = address.indexOf('%')
  return zone === -1 ? address : address.slice(0, zone)
}
