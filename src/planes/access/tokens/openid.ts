import type { JsonObject } from '../../../lib/json/json.ts'
import type { SigningKeys } from './signing-keys.ts'

const JWKS_PATH = '/openid/v1/jwks'

/** The document at `/.well-known/openid-configuration` of a plane. */
export function openidConfiguration(issuer: string): JsonObject {
  return {
    issuer,
    jwks_uri: `${issuer}${JWKS_PATH}`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  }
}

/** The key set at `/openid/v1/jwks` of a plane. All planes share the keys. */
export async function openidKeySet(keys: SigningKeys): Promise<JsonObject> {
  const current = await keys.all()
  return {
    keys: current.map(({ id, publicKey }) => {
      const { kty = '', crv = '', x = '', y = '' } = publicKey.export({ format: 'jwk' })
      return { kid: id, use: 'sig', alg: 'ES256', kty, crv, x, y }
    }),
  }
}
