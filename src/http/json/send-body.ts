import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Request, Response } from 'express'
import { acceptedEncoding, ENCODINGS, type FileEncoding } from './accepted-encoding.ts'

/** The smallest body that is compressed. A smaller one fits into a few packets anyway. */
const MIN_BYTES = 4096
const LONG_BYTES = 16_384

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
  const size = Buffer.byteLength(body)
  const isLarge = size >= MIN_BYTES
  if (isLarge) response.vary('Accept-Encoding')
  const encoding = isLarge ? encodingOf(response.req) : null
  if (encoding === null) {
    response.setHeader('Content-Length', size)
    // Node sends a short text in one write with the headers. Encoding a long one here avoids a second pass.
    end(response, size >= LONG_BYTES ? bytesOf(body) : body)
    return
  }
  const whole = bytesOf(body)
  COMPRESS[encoding](whole, (error, compressed) => {
    // The client has left, or an error response was sent.
    if (response.destroyed || response.headersSent) return
    if (error === null) response.setHeader('Content-Encoding', encoding)
    const bytes = error === null ? compressed : whole
    response.setHeader('Content-Length', bytes.length)
    end(response, bytes)
  })
}

function bytesOf(body: string | Buffer): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : body
}

/** Whether the client accepts a compressed body. */
export function acceptsCompressed(request: Request): boolean {
  return encodingOf(request) !== null
}

function encodingOf({ headers }: Request): FileEncoding | null {
  return acceptedEncoding(headers['accept-encoding'] ?? '', ENCODINGS)
}
