import { statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { RequestHandler } from 'express'
import { packageVersion } from '../../lib/package-version.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { API_PATH } from '../paths/base-path.ts'
import { sixDigits } from '../../lib/precise-date.ts'

/** GET of `/api/hyperfleet`: the API and its build, in HyperFleet's format. */
export function metadataRoute(): AppRoute {
  const metadata = {
    id: 'hyperfleet',
    kind: 'API',
    href: API_PATH,
    version: packageVersion(),
    build_time: buildTime(),
  }
  const answer: RequestHandler = (_request, response) => {
    response.json(metadata)
  }
  return {
    method: 'get',
    path: API_PATH,
    template: API_PATH,
    public: true,
    access: null,
    handlers: [answer],
  }
}

/** The time at which this file was compiled. */
function buildTime(): string {
  return sixDigits(statSync(fileURLToPath(import.meta.url)).mtime.toISOString())
}
