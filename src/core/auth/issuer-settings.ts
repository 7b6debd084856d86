import { keyFile, type KeySource } from './key-source.ts'
import { keyUrl } from './key-url.ts'

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
}): IssuerSettings | null {
  const { jwksUrl, jwksFile, issuer, audience } = single
  const keysFrom = locationOf(jwksUrl, jwksFile)
  return keysFrom && { keysFrom, issuer, audience, identityClaim: null, identityPattern: null }
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
