import { createServer, type IncomingMessage } from 'node:http'
import { Webhook as Verifier } from 'standardwebhooks'
import { listen } from '../../src/lib/listen.ts'

/** A request that a receiver has verified. */
export interface Received {
  readonly id: string
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  readonly body: any
  readonly headers: IncomingMessage['headers']
}

/** Decides about a request: its status, or null to keep the request without a response. */
type Respond = (received: Received) => Reply | Promise<Reply>
type Reply = number | null | { readonly status: number; readonly headers: Record<string, string> }

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** The verified requests, in the order of their arrival. */
  readonly received: readonly Received[]
  /** Requests whose signature is not valid for any of the secrets. */
  readonly rejected: number
  /** The secret that the receiver verifies with; requests before are not verified. */
  secret: string
  respond: Respond
}

/** The events without those that arrived again, which a busy machine can cause. */
export function withoutRepetitions(received: readonly Received[]): readonly Received[] {
  return received.filter(({ id }, index) => received.findIndex((one) => one.id === id) === index)
}

/** A receiver on the loopback, which verifies events with the library of Standard Webhooks. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let rejected = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      void handle(request, text).then((reply) => {
        if (reply === null) return
        if (typeof reply === 'number') response.writeHead(reply).end('thank you')
        else response.writeHead(reply.status, reply.headers).end()
      })
    })
  })

  async function handle(request: IncomingMessage, text: string): Promise<Reply> {
    const { headers } = request
    const id = String(headers['webhook-id'])
    if (receiver.secret !== '') {
      try {
        new Verifier(receiver.secret).verify(text, {
          'webhook-id': id,
          'webhook-timestamp': String(headers['webhook-timestamp']),
          'webhook-signature': String(headers['webhook-signature']),
        })
      } catch {
        rejected += 1
        return 401
      }
    }
    const body = JSON.parse(text)
    const event = { id, type: body.type, body, headers }
    const reply = await receiver.respond(event)
    received.push(event)
    return reply
  }

  const port = await listen(server, 0, '127.0.0.1')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    get rejected() {
      return rejected
    },
    secret: '',
    respond: () => 204,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return receiver
}
