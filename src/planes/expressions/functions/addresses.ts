import net from 'node:net'
import type { Environment } from '@marcbachmann/cel-js'

/** An IP address as a number. */
class CelAddress {
  readonly family: 4 | 6
  readonly value: bigint

  constructor(family: 4 | 6, value: bigint) {
    this.family = family
    this.value = value
  }
}

/** A network such as `10.0.0.0/8`. */
class CelNetwork {
  readonly address: CelAddress
  readonly length: number

  constructor(address: CelAddress, length: number) {
    this.address = address
    this.length = length
  }
}

/** Registers ip, isIP, cidr, isCIDR and their methods. */
export function registerAddresses(environment: Environment): void {
  environment
    .registerType('IP', CelAddress)
    .registerType('CIDR', CelNetwork)
    .registerFunction('ip(string): IP', (text: string) => {
      const address = parseAddress(text)
      if (!address)
        throw new Error(
          `IP Address ${JSON.stringify(text)} parse error during conversion from string`,
        )
      return address
    })
    .registerFunction('isIP(string): bool', (text: string) => parseAddress(text) !== null)
    .registerFunction('IP.family(): int', ({ family }: CelAddress) => BigInt(family))
    .registerFunction('IP.isLoopback(): bool', (address: CelAddress) => {
      return address.family === 4 ? isWithin(address, '127.0.0.0/8') : address.value === 1n
    })
    .registerFunction('IP.isUnspecified(): bool', ({ value }: CelAddress) => value === 0n)
    .registerFunction('IP.isLinkLocalUnicast(): bool', (address: CelAddress) => {
      return isWithin(address, address.family === 4 ? '169.254.0.0/16' : 'fe80::/10')
    })
    .registerFunction('IP.isLinkLocalMulticast(): bool', (address: CelAddress) => {
      return isWithin(address, address.family === 4 ? '224.0.0.0/24' : 'ff02::/16')
    })
    .registerFunction('IP.isGlobalUnicast(): bool', isGlobalUnicast)
    .registerOperator('IP == IP', (one: CelAddress, other: CelAddress) => isSameAddress(one, other))
  registerNetworks(environment)
}

function registerNetworks(environment: Environment): void {
  environment
    .registerFunction('cidr(string): CIDR', (text: string) => {
      const network = parseNetwork(text)
      if (!network)
        throw new Error(`CIDR ${JSON.stringify(text)} parse error during conversion from string`)
      return network
    })
    .registerFunction('isCIDR(string): bool', (text: string) => parseNetwork(text) !== null)
    .registerFunction('CIDR.ip(): IP', ({ address }: CelNetwork) => address)
    .registerFunction('CIDR.prefixLength(): int', ({ length }: CelNetwork) => BigInt(length))
    .registerFunction('CIDR.masked(): CIDR', masked)
    .registerFunction('CIDR.containsIP(IP): bool', contains)
    .registerFunction('CIDR.containsIP(string): bool', (network: CelNetwork, text: string) => {
      const address = parseAddress(text)
      return address !== null && contains(network, address)
    })
    .registerFunction('CIDR.containsCIDR(CIDR): bool', containsNetwork)
    .registerFunction('CIDR.containsCIDR(string): bool', (network: CelNetwork, text: string) => {
      const other = parseNetwork(text)
      return other !== null && containsNetwork(network, other)
    })
    .registerOperator('CIDR == CIDR', (one: CelNetwork, other: CelNetwork) => {
      return one.length === other.length && isSameAddress(one.address, other.address)
    })
}

function parseAddress(text: string): CelAddress | null {
  if (net.isIPv4(text)) return new CelAddress(4, valueOf(text.split('.').map(Number), 8n))
  if (!net.isIPv6(text) || text.includes('%') || text.includes('.')) return null
  const [head = '', tail] = text.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':'))
  const before = groups(head)
  const after = tail === undefined ? [] : groups(tail)
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0')
  const all = [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16))
  return new CelAddress(6, valueOf(all, 16n))
}

function valueOf(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n)
}

function parseNetwork(text: string): CelNetwork | null {
  const [host = '', bits = '', ...rest] = text.split('/')
  const address = parseAddress(host)
  if (!address || rest.length > 0 || !/^(?:0|[1-9]\d{0,2})$/.test(bits)) return null
  return Number(bits) <= widthOf(address) ? new CelNetwork(address, Number(bits)) : null
}

function widthOf({ family }: CelAddress): number {
  return family === 4 ? 32 : 128
}

function prefixOf(address: CelAddress, length: number): bigint {
  return address.value >> BigInt(widthOf(address) - length)
}

function contains({ address, length }: CelNetwork, other: CelAddress): boolean {
  return address.family === other.family && prefixOf(address, length) === prefixOf(other, length)
}

function containsNetwork(network: CelNetwork, other: CelNetwork): boolean {
  return other.length >= network.length && contains(network, other.address)
}

function masked({ address, length }: CelNetwork): CelNetwork {
  const shift = BigInt(widthOf(address) - length)
  const value = (address.value >> shift) << shift
  return new CelNetwork(new CelAddress(address.family, value), length)
}

function isWithin(address: CelAddress, network: string): boolean {
  const parsed = parseNetwork(network)
  return parsed !== null && contains(parsed, address)
}

function isGlobalUnicast(address: CelAddress): boolean {
  const excluded =
    address.family === 4
      ? ['0.0.0.0/32', '127.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '255.255.255.255/32']
      : ['::/128', '::1/128', 'fe80::/10', 'ff00::/8']
  return !excluded.some((network) => isWithin(address, network))
}

function isSameAddress(one: CelAddress, other: CelAddress): boolean {
  return one.family === other.family && one.value === other.value
}
