import type { RequestHandler } from 'express'
import { cors } from '../../http/server/cors.ts'
import {
  FLEETS_JSON_PATH,
  FLEETS_YAML_PATH,
  JSON_30_PATHS,
  JSON_PATH,
  YAML_30_PATHS,
  YAML_PATH,
} from './document-paths.ts'

const ANY = '*'

/**
 * CORS for the whole server. Pages of any origin may read the document, which is public and the
 * same for all callers. `others` handles all other paths.
 */
export function documentCors(others: RequestHandler): RequestHandler {
  const current = [JSON_PATH, YAML_PATH, FLEETS_JSON_PATH, FLEETS_YAML_PATH]
  const paths = new Set([...current, ...JSON_30_PATHS, ...YAML_30_PATHS])
  const anyOrigin = cors([ANY])
  return (request, response, next) => {
    if (!paths.has(request.path)) return others(request, response, next)
    // Set even without an Origin header, because a cache may serve this response to a page.
    response.set('Access-Control-Allow-Origin', ANY)
    return anyOrigin(request, response, next)
  }
}
