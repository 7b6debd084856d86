import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import { lazy } from '../../lib/lazy.ts'
import type { AppRoute } from '../../http/server/app-route.ts'
import { sendBody } from '../../http/json/send-body.ts'
import { hasTag } from '../wire/etag.ts'

/** A public file. Its content does not change while the server runs. */
export interface PublicFile {
  readonly path: string
  /** The media type, which is sent as it is. */
  readonly type: string
  /** Called at most once, for the first request. */
  readonly content: () => string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** The public route of a file. The entity tag identifies its bytes; caches revalidate each use. */
export function fileRoute(file: PublicFile): AppRoute {
  const { path } = file
  const load = lazy(() => loadedFile(file))
  // `send` and `sendFile` handle conditions and ranges in other ways.
  const respond: RequestHandler = (request, response) => {
    const { bytes, etag, always, whole } = load()
    if (hasTag(request, etag)) response.status(304).set(always).end()
    // Express' own `set` adds a charset to some types.
    else sendBody(response.setHeaders(whole), bytes)
  }
  return { method: 'get', path, template: path, public: true, access: null, handlers: [respond] }
}

function loadedFile({ type, content, headers = {} }: PublicFile) {
  const loaded = content()
  const bytes = typeof loaded === 'string' ? Buffer.from(loaded) : loaded
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  const always = { ...headers, ETag: etag, 'Cache-Control': 'no-cache' }
  const whole = new Headers({
    ...always,
    'Content-Type': type,
    'X-Content-Type-Options': 'nosniff',
  })
  return { bytes, etag, always, whole }
}
