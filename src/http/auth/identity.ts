import type { IssuerSettings } from '../../access/issuer-settings.ts'
import { isNamePart, nameIn, type NameSpace } from '../../access/name-prefixes.ts'
import { invalidToken } from './tokens/token-errors.ts'

const DEFAULT_CLAIMS = ['email', 'preferred_username', 'sub'] as const

/** The claims that identify the caller of a token, and the pattern that the identity must match. */
export interface IdentityRule {
  /** In order of preference. */
  readonly claims: readonly string[]
  /** Null accepts any. */
  readonly pattern: RegExp | null
  /** Null if tokens have no groups. */
  readonly groupsClaim: string | null
  readonly users: NameSpace
  readonly groups: NameSpace
}

/** The rule for the tokens of an issuer. */
export function identityRule(
  issuer: IssuerSettings,
  issuers: readonly IssuerSettings[],
): IdentityRule {
  const { identityClaim, identityPattern, groupsClaim, usernamePrefix, groupsPrefix } = issuer
  const withGroups = issuers.filter((each) => each.groupsClaim !== null)
  return {
    claims: identityClaim === null ? DEFAULT_CLAIMS : [identityClaim],
    pattern: identityPattern,
    groupsClaim,
    users: { prefix: usernamePrefix, all: issuers.map((each) => each.usernamePrefix) },
    groups: { prefix: groupsPrefix, all: withGroups.map((each) => each.groupsPrefix) },
  }
}

/**
 * The caller's identity: the first usable claim, which must match the issuer's pattern, after the
 * issuer's prefix.
 */
export function identityOf(
  claims: Readonly<Record<string, unknown>>,
  { claims: names, pattern, users }: Pick<IdentityRule, 'claims' | 'pattern' | 'users'>,
): string {
  const identity = names.map((name) => usable(claims, name)).find((value) => value !== null)
  if (identity === undefined || identity === null) {
    throw invalidToken(`The token does not identify its caller: it needs ${oneOf(names)}`)
  }
  if (pattern !== null && !pattern.test(identity)) {
    throw invalidToken('The identity in the token does not match the pattern of its issuer')
  }
  const user = nameIn(users, identity)
  if (user === null) {
    throw invalidToken('The identity in the token begins with the prefix of another issuer')
  }
  return user
}

/**
 * The groups of the caller; the claim contains a list of names or one name. Names that start with
 * `system:` or with the prefix of another issuer are dropped.
 */
export function groupsOf(
  claims: Readonly<Record<string, unknown>>,
  { groupsClaim, groups }: Pick<IdentityRule, 'groupsClaim' | 'groups'>,
): readonly string[] {
  if (groupsClaim === null || !Object.hasOwn(claims, groupsClaim)) return []
  return [claims[groupsClaim]]
    .flat()
    .filter(isUsable)
    .map((name) => nameIn(groups, name))
    .filter((group): group is string => group !== null && !isReserved(group))
}

function isReserved(name: string): boolean {
  return name.startsWith('system:')
}

function usable(claims: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = Object.hasOwn(claims, name) ? claims[name] : null
  return isUsable(value) ? value : null
}

function isUsable(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '' && isNamePart(value)
}

function oneOf(names: readonly string[]): string {
  return names.length === 1 ? `the claim ${names[0]}` : `one of ${names.join(', ')}`
}
