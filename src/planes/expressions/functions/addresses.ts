import net from 'node:net'
import { CelError } from '../../../lib/cel/cel-error.ts'
import { objectAt } from '../../../lib/cel/functions/arguments.ts'
import type { Declarations, Run } from '../../../lib/cel/functions/function.ts'
import { spentText } from '../../../lib/cel/functions/text-limit.ts'
import { opaque } from '../../../lib/cel/types/type.ts'
import { CelObject, type CelValue } from '../../../lib/cel/values/value.ts'

/** An IP address as a number. */
class CelAddress extends CelObject {
  readonly type = opaque('net.IP')
  readonly family: 4 | 6
  readonly value: bigint

  constructor(family: 4 | 6, value: bigint) {
    super()
    this.family = family
    this.value = value
  }

  isSame(other: CelObject): boolean {
    return other instanceof CelAddress && isSameAddress(this, other)
  }
}

/** A network such as `10.0.0.0/8`. */
class CelNetwork extends CelObject {
  readonly type = opaque('net.CIDR')
  readonly address: CelAddress
  readonly length: number

  constructor(address: CelAddress, length: number) {
    super()
    this.address = address
    this.length = length
  }

  isSame(other: CelObject): boolean {
    return (
      other instanceof CelNetwork &&
      other.length === this.length &&
      isSameAddress(other.address, this.address)
    )
  }
}

const ofText =
  (read: (text: string) => CelValue): Run =>
  (args, spend) =>
    read(spentText(args, 0, spend))

const ofAddress =
  (read: (address: CelAddress) => CelValue): Run =>
  (args) =>
    read(objectAt(args, 0, CelAddress))

const ofNetwork =
  (read: (network: CelNetwork) => CelValue): Run =>
  (args) =>
    read(objectAt(args, 0, CelNetwork))

/** `ip`, `cidr`, their tests and methods. */
export const ADDRESSES: Declarations = [
  ['ip(string): net.IP', ofText(addressOf)],
  ['isIP(string): bool', ofText((text) => parseAddress(text) !== null)],
  ['ip.isCanonical(string): bool', ofText((text) => formatAddress(addressOf(text)) === text)],
  ['string(net.IP): string', ofAddress(formatAddress)],
  ['net.IP#family(): int', ofAddress(({ family }) => BigInt(family))],
  [
    'net.IP#isLoopback(): bool',
    ofAddress((address) =>
      address.family === 4 ? isWithin(address, '127.0.0.0/8') : address.value === 1n,
    ),
  ],
  ['net.IP#isUnspecified(): bool', ofAddress(({ value }) => value === 0n)],
  [
    'net.IP#isLinkLocalUnicast(): bool',
    ofAddress((address) =>
      isWithin(address, address.family === 4 ? '169.254.0.0/16' : 'fe80::/10'),
    ),
  ],
  [
    'net.IP#isLinkLocalMulticast(): bool',
    ofAddress((address) => isWithin(address, address.family === 4 ? '224.0.0.0/24' : 'ff02::/16')),
  ],
  ['net.IP#isGlobalUnicast(): bool', ofAddress(isGlobalUnicast)],
  ['cidr(string): net.CIDR', ofText(networkOf)],
  ['isCIDR(string): bool', ofText((text) => parseNetwork(text) !== null)],
  [
    'string(net.CIDR): string',
    ofNetwork(({ address, length }) => `${formatAddress(address)}/${length}`),
  ],
  ['net.CIDR#ip(): net.IP', ofNetwork(({ address }) => address)],
  ['net.CIDR#prefixLength(): int', ofNetwork(({ length }) => BigInt(length))],
  ['net.CIDR#masked(): net.CIDR', ofNetwork(masked)],
  [
    'net.CIDR#containsIP(net.IP): bool',
    (args) => contains(objectAt(args, 0, CelNetwork), objectAt(args, 1, CelAddress)),
  ],
  [
    'net.CIDR#containsIP(string): bool',
    (args, spend) => contains(objectAt(args, 0, CelNetwork), addressOf(spentText(args, 1, spend))),
  ],
  [
    'net.CIDR#containsCIDR(net.CIDR): bool',
    (args) => containsNetwork(objectAt(args, 0, CelNetwork), objectAt(args, 1, CelNetwork)),
  ],
  [
    'net.CIDR#containsCIDR(string): bool',
    (args, spend) =>
      containsNetwork(objectAt(args, 0, CelNetwork), networkOf(spentText(args, 1, spend))),
  ],
]

function addressOf(text: string): CelAddress {
  const address = parseAddress(text)
  if (address) return address
  throw new CelError(`IP Address ${JSON.stringify(text)} parse error during conversion from string`)
}

function networkOf(text: string): CelNetwork {
  const network = parseNetwork(text)
  if (network) return network
  throw new CelError(
    `network address parse error during conversion from string: ${JSON.stringify(text)}`,
  )
}

/** The address in its canonical form. */
function formatAddress({ family, value }: CelAddress): string {
  if (family === 4) {
    return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
  }
  const groups = Array.from({ length: 8 }, (_group, index) => {
    return ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16)
  })
  const zeros = [...`${groups.join(':')}:`.matchAll(/(?:(?<![0-9a-f])0:){2,}/g)]
  const [longest] = zeros.toSorted((one, other) => other[0].length - one[0].length)
  if (!longest) return groups.join(':')
  const text = `${groups.join(':')}:`
  const before = text.slice(0, longest.index).replace(/:$/, '')
  const after = text.slice(longest.index + longest[0].length).replace(/:$/, '')
  return `${before}::${after}`
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
  const value = valueOf(all, 16n)
  // Kubernetes rejects IPv4 addresses in IPv6 form.
  return value >> 32n === 0xffffn ? null : new CelAddress(6, value)
}

function valueOf(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n)
}

function parseNetwork(text: string): CelNetwork | null {
  const [host = '', bits = '', ...rest] = text.split('/', 3)
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
