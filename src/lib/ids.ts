import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = BigInt(ALPHABET.length)
const RANDOM_BITS = 106n
const LENGTH = 26

/**
 * A new resource id: `2` and 26 base62 characters that hold a 48-bit millisecond time above 106
 * random bits, so that ids sort by creation in ASCII order (26 base62 digits hold 154.8 bits).
 */
export function newId(now: Date): string {
  const random = BigInt(`0x${randomBytes(14).toString('hex')}`) & ((1n << RANDOM_BITS) - 1n)
  let rest = (BigInt(now.getTime()) << RANDOM_BITS) | random
  const digits = Array.from({ length: LENGTH }, () => {
    const digit = ALPHABET.charAt(Number(rest % BASE))
    rest /= BASE
    return digit
  })
  return `2${digits.reverse().join('')}`
}
