import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { onTestFinished } from 'vitest'
import { createPair } from '../server/tls/fixtures.ts'
import type { KeyPair } from '../server/tls/key-pair.ts'
import { listen } from '../../lib/listen.ts'
import { createEgress, type Egress, type ResolveName } from './egress.ts'
import { hostRules } from './host-rules.ts'

export const LOOPBACK = ['http://127.0.0.1'] as const

/** An egress that is closed after the test. */
export function testEgress(allowed: readonly string[] = LOOPBACK, resolve?: ResolveName): Egress {
  const egress = createEgress({
    rules: hostRules('WEBHOOK_ALLOWED_HOSTS', allowed),
    maxSockets: 64,
    ...(resolve && { resolve }),
  })
  onTestFinished(() => egress[Symbol.dispose]())
  return egress
}

/** Serves plain HTTP on the loopback until the test ends. Returns the origin. */
export async function serveHttp(listener: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await start(createHttpServer(listener))}`
}

interface HttpsServing {
  readonly port: number
  /** The certificate in PEM format. */
  readonly ca: string
}

/** Serves HTTPS until the test ends, by default with a self-signed certificate. */
export async function serveHttps(
  listener: RequestListener,
  given?: KeyPair,
): Promise<HttpsServing> {
  const pair = given ?? (await createPair())
  const [ca = ''] = pair.cert.split('-----BEGIN PRIVATE')
  return { port: await start(createHttpsServer(pair, listener)), ca }
}

async function start(server: Server): Promise<number> {
  const port = await listen(server, 0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return port
}
