import { type Algorithm, ALGORITHMS } from './algorithm.ts'
import { invalidToken } from './token-errors.ts'

/** The header of a token, which is not verified yet. */
export interface TokenHeader {
  readonly algorithm: Algorithm
  /** Null if the token names no key. */
  readonly keyId: string | null
}

/** The fields of a JOSE header that the server reads. */
interface JoseHeader {
  readonly alg?: unknown
  readonly kid?: unknown
  readonly crit?: unknown
}

const COMPACT = /^([\w-]+)\.[\w-]+\.[\w-]*$/
const MAX_QUOTE_LENGTH = 64

/** Reads a token's header. Throws `invalid-token` if no key could make the token acceptable. */
export function readTokenHeader(token: string): TokenHeader {
  const header = parseHeader(COMPACT.exec(token)?.[1] ?? '')
  if (!header) throw invalidToken('The token is not a signed JSON Web Token')
  const { alg, kid, crit } = header
  const algorithm = ALGORITHMS.find((name) => name === alg)
  if (!algorithm) {
    const accepted = ALGORITHMS.join(' or ')
    throw invalidToken(`The token's algorithm is ${quote(alg)}: only ${accepted} is accepted`)
  }
  // A verifier must understand all extensions in `crit` (RFC 7515, 4.1.11); this one supports none.
  if (crit !== undefined)
    throw invalidToken("The token's header has 'crit', which is not supported")
  if (kid !== undefined && typeof kid !== 'string') {
    throw invalidToken(`The token's 'kid' is ${quote(kid)}: it must be a string`)
  }
  return { algorithm, keyId: kid ?? null }
}

/** Formats a value of the token for a message. */
export function quote(value: unknown): string {
  if (typeof value === 'string') return `'${value.slice(0, MAX_QUOTE_LENGTH)}'`
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
