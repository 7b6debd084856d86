import { once } from 'node:events'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import express, { type Express } from 'express'
import { type Logger, pino } from 'pino'
import { systemClock } from '../../lib/clock.ts'
import { listen } from '../../lib/listen.ts'
import { accessLog } from '../observability/access-log.ts'
import { createHttpServer } from './http-server.ts'
import { createMetrics, type Metrics } from '../observability/metrics.ts'
import { problemOf } from '../../hyperfleet/errors/problem.ts'
import { errorHandler } from '../errors/error-handler.ts'
import { requestId } from '../requests/request-id.ts'

/** A server on a free port, and the lines that it logs. */
export interface TestServer extends AsyncDisposable {
  readonly server: Server
  readonly port: number
  readonly url: string
}

export async function serve(server: Server): Promise<TestServer> {
  const port = await listen(server, 0, '127.0.0.1')
  return {
    server,
    port,
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      if (server.listening) await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** An application with the first and last stages of the real one. */
export function appWith(
  mount: (app: Express) => void,
  recorder: { log: Logger; metrics: Metrics } = { log: silent(), metrics: createMetrics() },
): Express {
  const app = express()
  app.use(requestId, accessLog(recorder))
  mount(app)
  app.use(errorHandler(problemOf, systemClock))
  return app
}

export function serveApp(mount: (app: Express) => void): Promise<TestServer> {
  return serve(createHttpServer(appWith(mount), { renderError: problemOf }))
}

/** A logger that adds its lines to a list. */
export function logInto(lines: Record<string, unknown>[]): Logger {
  return pino({ level: 'debug' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
}

function silent(): Logger {
  return pino({ level: 'silent' })
}

export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

/** Reads until the server closes the connection. */
export async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8')
  for await (const piece of socket) text += String(piece)
  return text
}

/** Sends bytes over a new connection and returns the whole response. */
export async function sendRaw(port: number, request: string | Buffer): Promise<string> {
  const socket = await open(port)
  socket.write(request)
  return readAll(socket)
}

/** Parses the raw text of a response. */
export function parseResponse(raw: string): {
  status: number
  headers: Headers
  body: Record<string, unknown>
} {
  const [head = '', body = ''] = raw.split('\r\n\r\n')
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = new Headers()
  for (const line of lines)
    headers.append(line.split(': ')[0] ?? '', line.slice(line.indexOf(': ') + 2))
  return { status: Number(statusLine.split(' ')[1]), headers, body: body ? JSON.parse(body) : {} }
}
