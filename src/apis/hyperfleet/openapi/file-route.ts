import { createHash } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { AppRoute } from '../../../http/server/app-route.ts'
import { hasTag } from '../../../http/server/etag.ts'

/** What a path answers to everybody, the same for as long as the server runs. */
export interface PublicFile {
  readonly path: string
  /** Its media type, with a charset where that has one. */
  readonly type: string
  readonly content: string | Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** The public route of a file. Its entity tag names the bytes; caches ask before each use. */
export function fileRoute({ path, type, content, headers = {} }: PublicFile): AppRoute {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const etag = `"${createHash('sha256').update(bytes).digest('base64url')}"`
  const always = { ...headers, ETag: etag, 'Cache-Control': 'no-cache' }
  const whole = {
    ...always,
    'Content-Type': type,
    'Content-Length': String(bytes.length),
    'X-Content-Type-Options': 'nosniff',
  }
  // Neither `send` nor `sendFile`: they answer conditions and ranges in ways of their own.
  const answer: RequestHandler = (request, response) => {
    if (hasTag(request, etag)) response.status(304).set(always).end()
    else response.set(whole).end(bytes)
  }
  return { method: 'get', path, template: path, public: true, handlers: [answer] }
}
