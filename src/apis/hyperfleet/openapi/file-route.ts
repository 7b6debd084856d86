import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { AppRoute } from '../../../http/server/app-route.ts'
import { hasTag } from '../wire/etag.ts'

/** A public file. Its content does not change while the server runs. */
export interface PublicFile {
  readonly path: string
  /** The media type, with a charset if the type has one. */
  readonly type: string
  readonly content: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** The public route of a file. Its ETag identifies the bytes; caches revalidate before each use. */
export function fileRoute({ path, type, content, headers = {} }: PublicFile): AppRoute {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  const common = { ...headers, ETag: etag, 'Cache-Control': 'no-cache' }
  const headersOfBody = {
    ...common,
    'Content-Type': type,
    'Content-Length': String(bytes.length),
    'X-Content-Type-Options': 'nosniff',
  }
  // `send` and `sendFile` would handle conditional and range requests differently.
  const handler: RequestHandler = (request, response) => {
    if (hasTag(request, etag)) response.status(304).set(common).end()
    else response.set(headersOfBody).end(bytes)
  }
  return { method: 'get', path, template: path, public: true, handlers: [handler] }
}
