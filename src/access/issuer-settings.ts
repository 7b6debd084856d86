import { keyFile, type KeySource } from './key-source.ts'
import { keyUrl } from './key-url.ts'
import type { TenantDimensions } from './tenant.ts'

/** A trusted token issuer and the requirements for its tokens. */
export interface IssuerSettings {
  /** The location of its key set. */
  readonly keysFrom: KeyLocation
  /** Required `iss`; null accepts any. */
  readonly issuer: string | null
  /** Required `aud`; null accepts any. */
  readonly audience: string | null
  /** The claim with the caller's identity; null for the first usable default claim. */
  readonly identityClaim: string | null
  /** The pattern that identities must match; null accepts any. */
  readonly identityPattern: RegExp | null
  /** Precedes the identity in the names of users. Each issuer has its own. */
  readonly usernamePrefix: string
  /** The claim with the user's groups; null if tokens have none. */
  readonly groupsClaim: string | null
  /** Precedes the names of groups. Each issuer with groups has its own. */
  readonly groupsPrefix: string
  /**
   * The tenants that tokens are limited to; null for no limit. A tenant must have all dimensions of
   * one of them.
   */
  readonly tenants: readonly TenantDimensions[] | null
}

/** The location of an issuer's key set, and the setting that contains it. */
export interface KeyLocation {
  readonly type: 'url' | 'file'
  readonly address: string
  readonly setting: string
}

/** Creates the issuer from the settings for a single one; null if they name no key set. */
export function singleIssuer(single: {
  readonly jwksUrl: string | null
  readonly jwksFile: string | null
  readonly issuer: string | null
  readonly audience: string | null
  readonly groupsClaim: string
}): IssuerSettings | null {
  const { jwksUrl, jwksFile, issuer, audience, groupsClaim } = single
  const keysFrom = locationOf(jwksUrl, jwksFile)
  if (keysFrom === null) return null
  return {
    keysFrom,
    issuer,
    audience,
    identityClaim: null,
    identityPattern: null,
    usernamePrefix: '',
    groupsClaim,
    groupsPrefix: '',
    tenants: null,
  }
}

/** The claim with the groups of the users of the single issuer. */
export function groupsClaimOf({ jwtGroupsClaim }: { readonly jwtGroupsClaim: string | null }) {
  return jwtGroupsClaim ?? 'groups'
}

/** The issuers of all settings. */
export function configuredIssuers(settings: {
  readonly jwtJwksUrl: string | null
  readonly jwtJwksFile: string | null
  readonly jwtIssuer: string | null
  readonly jwtAudience: string | null
  readonly jwtGroupsClaim: string | null
  readonly jwtIssuers: readonly IssuerSettings[]
}): readonly IssuerSettings[] {
  const { jwtIssuers } = settings
  const single = singleIssuer({
    jwksUrl: settings.jwtJwksUrl,
    jwksFile: settings.jwtJwksFile,
    issuer: settings.jwtIssuer,
    audience: settings.jwtAudience,
    groupsClaim: groupsClaimOf(settings),
  })
  return single ? [single, ...jwtIssuers] : jwtIssuers
}

function locationOf(url: string | null, file: string | null): KeyLocation | null {
  if (url !== null) return { type: 'url', address: url, setting: 'JWT_JWKS_URL' }
  return file === null ? null : { type: 'file', address: file, setting: 'JWT_JWKS_FILE' }
}

/** The source of an issuer's key set. Throws if its URL is unusable. */
export function keySourceOf({ keysFrom }: IssuerSettings): KeySource {
  const { type, address, setting } = keysFrom
  return type === 'url' ? keyUrl(address, { setting }) : keyFile(address, setting)
}

/** Reads the URL of a token issuer: http or https, without query and trailing slash. */
export function readIssuerUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isUsable = url && ['http:', 'https:'].includes(url.protocol) && url.username === ''
  if (!isUsable || url.search !== '' || url.hash !== '' || text.endsWith('/')) {
    throw new Error(
      `expected an http or https URL without query and trailing slash, found '${text}'`,
    )
  }
  return text
}
