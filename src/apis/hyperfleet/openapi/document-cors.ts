import type { RequestHandler } from 'express'
import { cors } from '../../../http/server/cors.ts'
import { JSON_30_PATH, JSON_PATHS, YAML_30_PATH, YAML_PATHS } from './document-paths.ts'

const ANY = '*'

/**
 * CORS of the whole server: pages of every origin may read the document, which is public and the
 * same for all; for everything else `others` decides.
 */
export function documentCors(others: RequestHandler): RequestHandler {
  const paths = new Set([...JSON_PATHS, ...YAML_PATHS, JSON_30_PATH, YAML_30_PATH])
  const everybody = cors([ANY])
  return (request, response, next) => {
    if (!paths.has(request.path)) return others(request, response, next)
    // Whether or not the request names an origin: a cache may give the answer to a page.
    response.set('Access-Control-Allow-Origin', ANY)
    return everybody(request, response, next)
  }
}
