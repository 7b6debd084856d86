import { randomBytes } from 'node:crypto'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const BASE = ALPHABET.length
/** Number of digits that a double holds exactly: 62^8 is below 2^53. */
const CHUNK = 8
const CHUNK_BASE = BigInt(BASE ** CHUNK)
const RANDOM_BITS = 106n
const LENGTH = 26

/**
 * A new resource id: `2` and 26 base62 characters. They encode a 48-bit time in milliseconds and,
 * below it, 106 random bits, so that ids sort by creation time in ASCII order.
 */
export function newId(now: Date): string {
  const random = BigInt(`0x${randomBytes(14).toString('hex')}`) & ((1n << RANDOM_BITS) - 1n)
  let rest = (BigInt(now.getTime()) << RANDOM_BITS) | random
  let digits = ''
  while (digits.length < LENGTH) {
    // Dividing a BigInt is slow, so one division extracts eight digits.
    let chunk = Number(rest % CHUNK_BASE)
    rest /= CHUNK_BASE
    for (let index = 0; index < CHUNK && digits.length < LENGTH; index += 1) {
      digits = ALPHABET.charAt(chunk % BASE) + digits
      chunk = Math.floor(chunk / BASE)
    }
  }
  return `2${digits}`
}
