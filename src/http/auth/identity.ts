import type { IssuerSettings } from '../../core/auth/issuer-settings.ts'
import { tokenRefused } from './token-refusal.ts'

const DEFAULT_CLAIMS = ['email', 'preferred_username', 'sub'] as const

/** Control characters and lone surrogates: PostgreSQL and logs cannot keep them all. */
const UNFIT = /[\p{Cc}\p{Cs}]/u

/** Where the identity of a token's caller is found, and what it must match. */
export interface IdentityRule {
  /** In the order of preference. */
  readonly claims: readonly string[]
  /** Null accepts any. */
  readonly pattern: RegExp | null
}

/** How the tokens of an issuer identify their caller. */
export function identityRule({ identityClaim, identityPattern }: IssuerSettings): IdentityRule {
  return {
    claims: identityClaim === null ? DEFAULT_CLAIMS : [identityClaim],
    pattern: identityPattern,
  }
}

/** The caller's identity: the first usable claim, which must match the issuer's pattern. */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  { claims: names, pattern }: IdentityRule,
): string {
  const identity = names.map((name) => usable(claims, name)).find((value) => value !== null)
  if (identity === undefined || identity === null) {
    throw tokenRefused(`The token does not say who calls: it needs ${oneOf(names)}`)
  }
  if (pattern !== null && !pattern.test(identity)) {
    throw tokenRefused('The identity in the token does not match the pattern of its issuer')
  }
  return identity
}

function usable(claims: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(claims, name) ? claims[name] : null
  return typeof value === 'string' && value.trim() !== '' && !UNFIT.test(value) ? value : null
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? `the claim ${names[0]}` : `one of ${names.join(', ')}`
}
