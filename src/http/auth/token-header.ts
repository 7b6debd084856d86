import { type Algorithm, ALGORITHMS } from './algorithm.ts'
import { tokenRefused } from './token-refusal.ts'

/** What a token says about its signature; nobody has vouched for it yet. */
export interface TokenHeader {
  readonly algorithm: Algorithm
  /** Null where the token names no key. */
  readonly keyId: string | null
}

/** The members of a JOSE header that matter here. */
interface JoseHeader {
  readonly alg?: unknown
  readonly kid?: unknown
  readonly crit?: unknown
}

const COMPACT = /^([\w-]+)\.[\w-]+\.[\w-]*$/
const LONGEST_QUOTE = 64

/** Reads a token's header and refuses what no key could make acceptable. */
export function readTokenHeader(token: string): TokenHeader {
  const header = parseHeader(COMPACT.exec(token)?.[1] ?? '')
  if (!header) throw tokenRefused('The token is not a signed JSON Web Token')
  const { alg, kid, crit } = header
  const algorithm = ALGORITHMS.find((name) => name === alg)
  if (!algorithm) {
    const accepted = ALGORITHMS.join(' or ')
    throw tokenRefused(`The token's algorithm is ${quote(alg)}: only ${accepted} is accepted`)
  }
  // Extensions that a verifier must understand (RFC 7515, 4.1.11): none is understood here.
  if (crit !== undefined)
    throw tokenRefused("The token's header has 'crit', which is not supported")
  if (kid !== undefined && typeof kid !== 'string') {
    throw tokenRefused(`The token's 'kid' is ${quote(kid)}: it must be a string`)
  }
  return { algorithm, keyId: kid ?? null }
}

/** A value of the token's header in a message. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, LONGEST_QUOTE)}'`
  return value === undefined ? 'absent' : `of type ${value === null ? 'null' : typeof value}`
}

function parseHeader(encoded: string): JoseHeader | null {
  try {
    const header: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString())
    return isHeader(header) ? header : null
  } catch {
    return null
  }
}

function isHeader(value: unknown): value is JoseHeader {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
