import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = ALPHABET.length
/** Digits that fit into a number exactly: 62^8 is below 2^53. */
const CHUNK = 8
const CHUNK_BASE = BigInt(BASE ** CHUNK)
const RANDOM_BITS = 106n
const LENGTH = 26

/**
 * A new resource id: `2` and 26 base62 characters that hold a 48-bit millisecond time above 106
 * random bits, so that ids sort by creation in ASCII order (26 base62 digits hold 154.8 bits).
 */
export function newId(now: Date): string {
  const random = BigInt(`0x${randomBytes(14).toString('hex')}`) & ((1n << RANDOM_BITS) - 1n)
  let rest = (BigInt(now.getTime()) << RANDOM_BITS) | random
  let digits = ''
  while (digits.length < LENGTH) {
    // Divisions of large integers are slow: one for eight digits.
    let chunk = Number(rest % CHUNK_BASE)
    rest /= CHUNK_BASE
    for (let index = 0; index < CHUNK && digits.length < LENGTH; index += 1) {
      digits = ALPHABET.charAt(chunk % BASE) + digits
      chunk = Math.floor(chunk / BASE)
    }
  }
  return `2${digits}`
}
