import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { acceptedEncoding, ENCODINGS, type FileEncoding } from './accepted-encoding.ts'

/** The smallest body that is compressed. A smaller one fits into a few packets anyway. */
const MIN_BYTES = 4096

type Compressed = (error: Error | null, bytes: Buffer) => void

/** Fast levels: higher ones save few bytes of JSON and take several times the CPU. */
const COMPRESS: Record<FileEncoding, (body: Buffer, done: Compressed) => void> = {
  br: (body, done) => {
    const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants
    const params = { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_SIZE_HINT]: body.length }
    brotliCompress(body, { params }, done)
  },
  gzip: (body, done) => gzip(body, { level: 1 }, done),
}

/**
 * Ends a response with its whole body and sets `Content-Length`. A large body is compressed on
 * another thread if the client accepts that. Streams do not use it, so they are never buffered.
 */
export function sendBody(
  response: Response,
  body: string | Buffer,
  end: (response: Response, body: string | Buffer) => void = (target, bytes) => target.end(bytes),
): void {
  const send = (bytes: string | Buffer): void => {
    response.setHeader('Content-Length', Buffer.byteLength(bytes))
    end(response, bytes)
  }
  if (Buffer.byteLength(body) < MIN_BYTES) {
    send(body)
    return
  }
  const whole = typeof body === 'string' ? Buffer.from(body) : body
  response.vary('Accept-Encoding')
  const encoding = encodingOf(response.req)
  if (encoding === null) {
    send(whole)
    return
  }
  COMPRESS[encoding](whole, (error, bytes) => {
    // The client has left, or an error response was sent.
    if (response.destroyed || response.headersSent) return
    if (error === null) response.setHeader('Content-Encoding', encoding)
    send(error === null ? bytes : whole)
  })
}

/** Whether the client accepts a compressed body. */
export function acceptsCompressed(request: Request): boolean {
  return encodingOf(request) !== null
}

function encodingOf({ headers }: Request): FileEncoding | null {
  return acceptedEncoding(headers['accept-encoding'] ?? '', ENCODINGS)
}
