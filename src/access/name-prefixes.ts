import type { IssuerSettings } from './issuer-settings.ts'

/** Control characters and lone surrogates. PostgreSQL and logs cannot store all of them. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/u

/** Whether a text can be part of the name of a user or group. */
export function isNamePart(text: string): boolean {
  return !UNSTORABLE.test(text)
}

/** Issuers that assign names with the same prefix. Their users or groups would be the same. */
export function sharedPrefixes(issuers: readonly IssuerSettings[]): string[] {
  const withGroups = issuers.filter(({ groupsClaim }) => groupsClaim !== null)
  return [
    ...repeated(issuers, 'username_prefix', ({ usernamePrefix }) => usernamePrefix),
    ...repeated(withGroups, 'groups_prefix', ({ groupsPrefix }) => groupsPrefix),
  ]
}

function repeated(
  issuers: readonly IssuerSettings[],
  field: string,
  prefixOf: (issuer: IssuerSettings) => string,
): string[] {
  return issuers.flatMap((issuer, index) => {
    const prefix = prefixOf(issuer)
    const first = issuers.slice(0, index).find((other) => prefixOf(other) === prefix)
    if (!first) return []
    const [own, other] = [issuer.keysFrom.setting, first.keysFrom.setting]
    return [
      `${own}.${field}: '${prefix}' is also the prefix of ${other}: each issuer needs its own`,
    ]
  })
}

/** The names that an issuer may assign: those with its prefix, except those of other issuers. */
export interface NameSpace {
  readonly prefix: string
  /** The prefixes of all issuers. */
  readonly all: readonly string[]
}

/**
 * The name of a user or group of an issuer; null if it belongs to another issuer. A name belongs to
 * the issuer with the longest prefix, so an issuer without a prefix cannot assign those of others.
 */
export function nameIn({ prefix, all }: NameSpace, given: string): string | null {
  const name = prefix + given
  const isOfAnother = all.some((other) => other.length > prefix.length && name.startsWith(other))
  return isOfAnother ? null : name
}
