import { randomBytes } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { FlotillaError } from '../lib/errors.ts'
import { HttpError } from '../http/errors/http-error.ts'
import { setRoute } from '../http/observability/access-log.ts'
import { requestPath } from '../http/requests/request-path.ts'
import { acceptedEncoding } from '../http/json/accepted-encoding.ts'
import { contentPolicy } from './content-policy.ts'
import { buildTime, readSite, type Site, type SiteFile } from './read-site.ts'

const ROOT = '/console'
const ASSETS = 'assets/'
const NONCE_BYTES = 16
const NONCE_MARK = '__CSP_NONCE__'

/**
 * Serves the build of the console below `/console`. The files are public: data comes from the API,
 * which authenticates. Paths other than files return the page, which shows what the path names. A new
 * build is served without a restart.
 */
export function serveConsole(folder: string): RequestHandler {
  let site: Site | null = null
  return (request, response, next) => {
    const path = requestPath(request.originalUrl)
    if (path !== ROOT && !path.startsWith(`${ROOT}/`)) {
      next()
      return
    }
    setRoute(response, `${ROOT}/{path}`)
    if (request.method !== 'GET' && request.method !== 'HEAD') throw readOnly(path)
    if (path === ROOT) {
      redirect(request, response)
      return
    }
    if (site === null || buildTime(folder) !== site.version) site = readSite(folder)
    if (site === null) throw missingBuild()
    const name = path.slice(ROOT.length + 1)
    const file = site.files.get(name)
    if (file !== undefined) sendFile(request, response, { name, file })
    else if (name.startsWith(ASSETS)) throw missingFile(path)
    else sendPage(response, site.page)
  }
}

function redirect(request: Request, response: Response): void {
  const query = request.originalUrl.indexOf('?')
  const rest = query < 0 ? '' : request.originalUrl.slice(query)
  response.status(308).set('Location', `${ROOT}/${rest}`).end()
}

/** The page must not be cached: its nonce is valid for one response. */
function sendPage(response: Response, page: string): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64')
  const bytes = Buffer.from(page.replaceAll(NONCE_MARK, nonce))
  response.set({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(bytes.length),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': contentPolicy(nonce),
    'Cross-Origin-Opener-Policy': 'same-origin',
    ...SAFETY,
  })
  response.end(bytes)
}

const SAFETY = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' }

interface NamedFile {
  readonly name: string
  readonly file: SiteFile
}

/** Names in `assets/` contain a hash of the content, so that browsers never ask for them again. */
function sendFile(request: Request, response: Response, { name, file }: NamedFile): void {
  const encoding = acceptedEncoding(request.headers['accept-encoding'] ?? '', [
    ...file.encoded.keys(),
  ])
  const body = (encoding === null ? null : file.encoded.get(encoding)) ?? file.content
  response.set({
    ETag: file.etag,
    'Cache-Control': name.startsWith(ASSETS) ? 'public, max-age=31536000, immutable' : 'no-cache',
    Vary: 'Accept-Encoding',
    ...SAFETY,
  })
  if (request.headers['if-none-match'] === file.etag) {
    response.status(304).end()
    return
  }
  if (encoding !== null) response.set('Content-Encoding', encoding)
  response.set({ 'Content-Type': file.type, 'Content-Length': String(body.length) }).end(body)
}

function readOnly(path: string): HttpError {
  const headers = { Allow: 'GET, HEAD' }
  return new HttpError('method-not-allowed', `${path} accepts GET and HEAD only`, { headers })
}

function missingBuild(): FlotillaError {
  return new FlotillaError(
    'no-route',
    'The console has not been built: run `npm run build`, or set CONSOLE=off to remove this page',
  )
}

function missingFile(path: string): FlotillaError {
  return new FlotillaError('no-route', `${path} is not a file of the current build of the console`)
}
