import jwt from 'jsonwebtoken'
import { type SigningKey, signingKey } from '../../../../src/http/auth/fixtures.ts'

/** The issuer of JWT_ISSUER, whose names have no prefix. */
export const MAIN = 'https://main.example.com'
/** An issuer of JWT_ISSUERS. */
export const OTHER = 'https://other.example.com'

/** The keys of two issuers, and tokens that they sign. */
export interface Issuers {
  readonly mainKey: SigningKey
  readonly otherKey: SigningKey
  /** The value of an Authorization header. */
  main(claims: object): string
  other(claims: object): string
  /** Tokens that neither issuer has signed for its own name. */
  forged(claims: object): ReadonlyMap<string, string>
}

export function createIssuers(): Issuers {
  const mainKey = signingKey('RS256', 'main')
  const otherKey = signingKey('ES256', 'other')
  const strange = signingKey('RS256', 'main')
  const complete = (iss: string, claims: object): object => ({ iss, exp: inAnHour(), ...claims })
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  return {
    mainKey,
    otherKey,
    main: (claims) => mainKey.bearer(complete(MAIN, claims)),
    other: (claims) => otherKey.bearer(complete(OTHER, claims)),
    forged: (claims) => {
      const all = complete(MAIN, claims)
      const hmac = jwt.sign(all, mainKey.jwk.n ?? '', { algorithm: 'HS256', keyid: 'main' })
      return new Map([
        ['the key of the other issuer', otherKey.bearer(all)],
        ['its kid and another key', otherKey.bearer(all, { keyid: 'main' })],
        ['a new key with its kid', strange.bearer(all)],
        ['no signature', `Bearer ${encode({ alg: 'none', kid: 'main' })}.${encode(all)}.`],
        ['its public key as a secret', `Bearer ${hmac}`],
        ['no issuer', otherKey.bearer({ exp: inAnHour(), ...claims })],
        ['two issuers', otherKey.bearer({ ...all, iss: [OTHER, MAIN] })],
        ['an unknown issuer', otherKey.bearer({ ...all, iss: `${MAIN}/` })],
        ['no end', mainKey.bearer({ iss: MAIN, ...claims })],
        ['a past end', mainKey.bearer({ ...all, exp: inAnHour() - 7200 })],
      ])
    },
  }
}

function inAnHour(): number {
  return Math.floor(Date.now() / 1000) + 3600
}
