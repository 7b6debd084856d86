import { sendJson } from '../../http/json/send-json.ts'
import type { DocumentRequest } from './kube-handler.ts'
import { openidConfiguration, openidKeySet } from '../access/tokens/openid.ts'
import type { SigningKeys } from '../access/tokens/signing-keys.ts'

interface Options {
  readonly keys: SigningKeys
  readonly issuerOf: (plane: string) => string
}

const CONFIGURATION_PATH = '/.well-known/openid-configuration'
const KEYS_PATH = '/openid/v1/jwks'

/** Serves the documents with which other services verify tokens. Returns false for other paths. */
export function createOpenidDocuments({
  keys,
  issuerOf,
}: Options): (request: DocumentRequest) => Promise<boolean> {
  return async ({ request, response, at, plane }) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return false
    if (at.path === CONFIGURATION_PATH) {
      sendJson(response, openidConfiguration(issuerOf(plane.plane)))
      return true
    }
    if (at.path !== KEYS_PATH) return false
    response.setHeader('Content-Type', 'application/jwk-set+json')
    sendJson(response, await openidKeySet(keys))
    return true
  }
}
