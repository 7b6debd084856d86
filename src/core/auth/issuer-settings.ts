import { keyFile, type KeySource } from './key-source.ts'
import { keyUrl } from './key-url.ts'

/** A token issuer that is trusted, and what its tokens must satisfy. */
export interface IssuerSettings {
  /** Where its keys are. */
  readonly keysFrom: KeyLocation
  /** Required `iss`; null accepts any. */
  readonly issuer: string | null
  /** Required `aud`; null accepts any. */
  readonly audience: string | null
  /** The claim with the caller's identity; null for the first usable one of the default claims. */
  readonly identityClaim: string | null
  /** What an identity must match; null accepts any. */
  readonly identityPattern: RegExp | null
}

/** Where an issuer publishes its key set, and the setting that says so. */
export interface KeyLocation {
  readonly type: 'url' | 'file'
  readonly address: string
  readonly setting: string
}

/** The issuer of the settings for a single issuer; null if they name no key set. */
export function singleIssuer(single: {
  readonly jwksUrl: string | null
  readonly jwksFile: string | null
  readonly issuer: string | null
  readonly audience: string | null
}): IssuerSettings | null {
  const { jwksUrl, jwksFile, issuer, audience } = single
  const keysFrom = locationOf(jwksUrl, jwksFile)
  return keysFrom && { keysFrom, issuer, audience, identityClaim: null, identityPattern: null }
}

function locationOf(url: string | null, file: string | null): KeyLocation | null {
  if (url !== null) return { type: 'url', address: url, setting: 'JWT_JWKS_URL' }
  return file === null ? null : { type: 'file', address: file, setting: 'JWT_JWKS_FILE' }
}

/** The key set of an issuer. Throws if its URL cannot be used. */
export function keySourceOf({ keysFrom }: IssuerSettings): KeySource {
  const { type, address, setting } = keysFrom
  return type === 'url' ? keyUrl(address, { setting }) : keyFile(address, setting)
}
