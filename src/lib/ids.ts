import { randomBytes } from 'node:crypto'

const RADIX = 36
const RANDOM_BITS = 85n
const RANDOM_MASK = (1n << RANDOM_BITS) - 1n
/**
 * The smallest number of 26 digits whose first digit is a letter. IDs of former versions were
 * base62, and their first digit was at most `Z`, which sorts before `a`.
 */
const OFFSET = 10n * BigInt(RADIX) ** 25n

/**
 * A new resource ID: `2` and 26 lower-case letters and digits, of which the first is a letter. They
 * encode a 48-bit time in milliseconds and, below it, 85 random bits. IDs sort by creation time
 * in ASCII order, after all IDs of former versions. Lower case lets adapters name Kubernetes
 * objects after them.
 */
export function newId(now: Date): string {
  const random = BigInt(`0x${randomBytes(11).toString('hex')}`) & RANDOM_MASK
  const value = (BigInt(now.getTime()) << RANDOM_BITS) | random
  return `2${(OFFSET + value).toString(RADIX)}`
}
