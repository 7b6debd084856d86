import type { IssuerSettings } from '../../core/auth/issuer-settings.ts'
import { invalidToken } from './token-errors.ts'

const DEFAULT_CLAIMS = ['email', 'preferred_username', 'sub'] as const

/** Control characters and lone surrogates. PostgreSQL and logs cannot store all of them. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u

/** The claims that identify the caller of a token, and the pattern that the identity must match. */
export interface IdentityRule {
  /** In order of preference. */
  readonly claims: readonly string[]
  /** Null accepts any. */
  readonly pattern: RegExp | null
  readonly groupsClaim: string
}

/** The rule for the tokens of an issuer. */
export function identityRule(
  { identityClaim, identityPattern }: IssuerSettings,
  groupsClaim: string,
): IdentityRule {
  return {
    claims: identityClaim === null ? DEFAULT_CLAIMS : [identityClaim],
    pattern: identityPattern,
    groupsClaim,
  }
}

/** The caller's identity: the first usable claim, which must match the issuer's pattern. */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  { claims: names, pattern }: Pick<IdentityRule, 'claims' | 'pattern'>,
): string {
  const identity = names.map((name) => usable(claims, name)).find((value) => value !== null)
  if (identity === undefined || identity === null) {
    throw invalidToken(`The token does not identify its caller: it needs ${oneOf(names)}`)
  }
  if (pattern !== null && !pattern.test(identity)) {
    throw invalidToken('The identity in the token does not match the pattern of its issuer')
  }
  return identity
}

/**
 * The groups of the caller; the claim contains a list of names or one name. Names that start with
 * `system:` are dropped, because only this server may assign them.
 */
export function groupsOf(
  claims: Readonly<Record<string, unknown>>,
  { groupsClaim }: Pick<IdentityRule, 'groupsClaim'>,
): readonly string[] {
  const value = Object.hasOwn(claims, groupsClaim) ? claims[groupsClaim] : []
  return [value].flat().filter((name): name is string => isUsable(name) && !isReserved(name))
}

function isReserved(name: string): boolean {
  return name.startsWith('system:')
}

function usable(claims: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(claims, name) ? claims[name] : null
  return isUsable(value) ? value : null
}

function isUsable(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && !UNSTORABLE.test(value)
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? `the claim ${names[0]}` : `one of ${names.join(', ')}`
}
