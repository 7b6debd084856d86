import type { JsonObject } from '../../lib/json/json.ts'

/** Name of the scheme in security requirements. */
export const SECURITY_SCHEME_NAME = 'BearerToken'

/** The scheme of bearer tokens, in the same form for both versions of OpenAPI. */
export function securityScheme(): JsonObject {
  return {
    [SECURITY_SCHEME_NAME]: {
      type: 'apiKey',
      name: 'authorization',
      in: 'header',
      description: 'A bearer token.',
    },
  }
}
