import { generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import jwt, { type SignOptions } from 'jsonwebtoken'
import { listen } from '../../lib/listen.ts'
import type { Algorithm } from './tokens/algorithm.ts'
import type { Log } from '../../lib/log/log.ts'

/** The time at which tests start. */
export const START = Date.UTC(2026, 0, 1)

/** A clock that only moves when the test advances it. */
export interface TestClock {
  (): Date
  advance(seconds: number): void
}

export function testClock(): TestClock {
  let now = START
  const read = (): Date => new Date(now)
  const advance = (seconds: number): void => {
    now += seconds * 1000
  }
  return Object.assign(read, { advance })
}

/** The claims of a valid token, which expires an hour after START. */
export const CLAIMS = { email: 'ada@example.com', exp: START / 1000 + 3600, iat: START / 1000 }

/** A key pair of a token issuer. */
export interface SigningKey {
  /** The public key as an entry of a key set. */
  readonly jwk: JsonWebKey
  readonly publicPem: string
  /** An `Authorization` header with a token that this key signed; claims may be given as JSON. */
  bearer(claims?: object | string, options?: SignOptions): string
}

export function signingKey(algorithm: Algorithm, kid?: string): SigningKey {
  const { publicKey, privateKey } =
    algorithm === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const named = kid === undefined ? {} : { kid }
  return {
    jwk: { ...publicKey.export({ format: 'jwk' }), ...named },
    publicPem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    bearer: (claims = CLAIMS, options = {}) => {
      const keyid = kid === undefined ? {} : { keyid: kid }
      const isText = typeof claims === 'string'
      const all: SignOptions = {
        algorithm,
        ...(!isText && { noTimestamp: true }),
        ...keyid,
        ...options,
      }
      return `Bearer ${jwt.sign(claims, privateKey, all)}`
    },
  }
}

/** The text of a key set. */
export function keySetOf(...keys: readonly SigningKey[]): string {
  return JSON.stringify({ keys: keys.map(({ jwk }) => jwk) })
}

/** An HTTP server with a key set. */
export interface KeyServer extends AsyncDisposable {
  readonly url: string
  /** Requests so far. */
  readonly hits: number
  /** Handles each request. Tests can replace it. */
  respond: (response: ServerResponse) => void
}

export async function serveKeys(...keys: readonly SigningKey[]): Promise<KeyServer> {
  let hits = 0
  const server = createServer((_request, response) => {
    hits += 1
    keyServer.respond(response)
  })
  const port = await listen(server, 0, '127.0.0.1')
  const keyServer = {
    url: `http://127.0.0.1:${port}/keys?secret=s3cret`,
    get hits() {
      return hits
    },
    respond: respondWith(keySetOf(...keys)),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return keyServer
}

/** Responds with this body. */
export function respondWith(body: string, status = 200): KeyServer['respond'] {
  return (response) => void response.writeHead(status).end(body)
}

/** A log that keeps its lines. */
export interface TestLog extends Log {
  readonly lines: readonly { level: 'warn' | 'info'; fields: object; message: string }[]
}

export function testLog(): TestLog {
  const lines: { level: 'warn' | 'info'; fields: object; message: string }[] = []
  return {
    lines,
    warn: (fields, message) => void lines.push({ level: 'warn', fields, message }),
    info: (fields, message) => void lines.push({ level: 'info', fields, message }),
  }
}
