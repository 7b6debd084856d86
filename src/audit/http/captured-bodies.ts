import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { storableJsonText } from '../storable-text.ts'
import { isDeeperThan } from '../../lib/json/is-deeper-than.ts'
import { isJsonObject, type JsonValue } from '../../lib/json/json.ts'

/** Larger bodies are not recorded. */
const MAX_BYTES = 65_536
/** More levels than any API accepts. Deeper bodies are not recorded: they would exhaust the stack. */
const MAX_DEPTH = 128

/**
 * The bodies of one request and its response as JSON. Null if a body is not JSON, is too large or too
 * deep, or contains a Secret.
 */
export interface CapturedBodies {
  request(): string | null
  response(): string | null
}

/**
 * Records the bodies of a request while the application reads and writes them. Bodies that are not
 * JSON, larger than 64 KiB, nested over 128 levels, or that contain a Secret, are null.
 */
export function captureBodies(
  request: IncomingMessage,
  response: ServerResponse,
  wanted: { readonly request: boolean; readonly response: boolean },
): CapturedBodies {
  const received = new Capture()
  const sent = new Capture()
  if (wanted.request) captureReads(request, received)
  if (wanted.response) captureWrites(response, sent)
  return {
    request: () => received.body(),
    response: () => sent.body(response.getHeader('Content-Encoding')),
  }
}

/** Replaces `emit`, because a listener for data would start the stream before the application. */
function captureReads(request: IncomingMessage, capture: Capture): void {
  const emit = request.emit.bind(request)
  request.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event === 'data') capture.add(values[0])
    return emit(event, ...values)
  }
}

function captureWrites(response: ServerResponse, capture: Capture): void {
  const write = response.write.bind(response)
  const end = response.end.bind(response)
  response.write = (chunk: unknown, ...rest: unknown[]): boolean => {
    capture.add(chunk)
    return Reflect.apply(write, response, [chunk, ...rest])
  }
  response.end = (chunk?: unknown, ...rest: unknown[]): ServerResponse => {
    if (typeof chunk !== 'function') capture.add(chunk)
    return Reflect.apply(end, response, [chunk, ...rest])
  }
}

class Capture {
  readonly #chunks: Buffer[] = []
  #bytes = 0

  add(chunk: unknown): void {
    if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return
    this.#bytes += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length
    if (this.#bytes <= MAX_BYTES) this.#chunks.push(Buffer.from(chunk))
  }

  /** The JSON text, of bytes with this encoding of HTTP. */
  body(encoding?: unknown): string | null {
    if (this.#bytes === 0 || this.#bytes > MAX_BYTES) return null
    const json = parse(Buffer.concat(this.#chunks), encoding)
    if (json === null || isDeeperThan(json, MAX_DEPTH) || containsSecret(json)) return null
    return storableJsonText(json)
  }
}

function parse(bytes: Buffer, encoding: unknown): JsonValue | null {
  try {
    return JSON.parse(decompress(bytes, encoding).toString('utf8'))
  } catch {
    return null
  }
}

/** Throws if the result is too large to be recorded. */
function decompress(bytes: Buffer, encoding: unknown): Buffer {
  if (encoding === 'br') return brotliDecompressSync(bytes, { maxOutputLength: MAX_BYTES })
  if (encoding === 'gzip') return gunzipSync(bytes, { maxOutputLength: MAX_BYTES })
  return bytes
}

/** Lists and manifests contain Secrets, which can also be sent to the path of another resource. */
function containsSecret(json: JsonValue): boolean {
  if (Array.isArray(json)) return json.some(containsSecret)
  if (!isJsonObject(json)) return false
  const { kind } = json
  return kind === 'Secret' || kind === 'SecretList' || Object.values(json).some(containsSecret)
}
