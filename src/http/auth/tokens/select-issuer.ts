import type { IssuerSettings } from '../../../access/issuer-settings.ts'
import { quote } from './token-header.ts'
import { invalidToken } from './token-errors.ts'

/**
 * Selects the issuer whose keys must verify a token. With several issuers, the unverified `iss`
 * decides, so that the keys of one issuer never verify tokens of another one. A single issuer gets
 * every token, and the verification compares `iss`.
 */
export function selectIssuer<Issuer extends { readonly settings: IssuerSettings }>(
  issuers: readonly Issuer[],
  token: string,
): Issuer {
  const [only, second] = issuers
  if (only && !second) return only
  const iss = issuerIn(token)
  const found = issuers.find(({ settings }) => settings.issuer === iss)
  if (found && typeof iss === 'string') return found
  throw invalidToken(`The token's issuer (iss) is ${quote(iss)}: it is not accepted here`)
}

/** The unverified `iss` of a token with a valid header. */
function issuerIn(token: string): unknown {
  try {
    const payload: unknown = JSON.parse(
      Buffer.from(token.split('.')[1] ?? '', 'base64url').toString(),
    )
    return typeof payload === 'object' && payload !== null && 'iss' in payload
      ? payload.iss
      : undefined
  } catch {
    throw invalidToken('The token is not valid: its payload or signature cannot be read')
  }
}
