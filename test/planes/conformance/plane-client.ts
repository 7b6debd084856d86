import { setTimeout as pause } from 'node:timers/promises'
import { must } from '../../../src/lib/assert.ts'
import { sendRequest } from '../../support/send-request.ts'

/** A response of a plane. */
export interface PlaneResponse {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The parsed body; null if it is not JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  readonly body: any
}

export interface CallOptions {
  /** An object becomes JSON; text and bytes are sent as they are. */
  readonly body?: unknown
  /** Media type of the body. */
  readonly type?: string
  readonly accept?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
}

/** An event of a watch. */
export interface WatchEvent {
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  readonly object: any
}

/** An open watch. */
export interface PlaneWatch extends AsyncDisposable {
  readonly status: number
  /** The next event; null if the server closed the watch. Fails after a minute. */
  next(): Promise<WatchEvent | null>
  /** Events up to the first that matches, including it. */
  until(matches: (event: WatchEvent) => boolean): Promise<readonly WatchEvent[]>
}

/** A plane of a server, over HTTP. */
export interface PlaneClient {
  readonly origin: string
  /** The path before `/api` and `/apis`; empty for the root plane. */
  readonly prefix: string
  call(method: string, path: string, options?: CallOptions): Promise<PlaneResponse>
  watch(
    path: string,
    query?: Readonly<Record<string, string>>,
    accept?: string,
  ): Promise<PlaneWatch>
}

/** Creates a client of the plane at a prefix. */
export function planeClient(origin: string, prefix: string): PlaneClient {
  const urlOf = (path: string, query: Readonly<Record<string, string>> = {}) => {
    const parameters = new URLSearchParams(query).toString()
    return `${origin}${prefix}${path}${parameters === '' ? '' : `?${parameters}`}`
  }
  return {
    origin,
    prefix,
    call: async (method, path, options = {}) => {
      const { body, type = 'application/json', accept, query, headers } = options
      const response = await sendRequest(urlOf(path, query), {
        method,
        headers: {
          ...(body !== undefined && { 'Content-Type': type }),
          ...(accept !== undefined && { Accept: accept }),
          ...headers,
        },
        ...(body !== undefined && { body: payload(body) }),
      })
      const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
      // The body of a watch has one document for each event, or none.
      const isDocument = isJson && query?.['watch'] === undefined
      return { ...response, body: isDocument ? JSON.parse(response.text) : null }
    },
    watch: (path, query = {}, accept = 'application/json') =>
      openWatch(urlOf(path, { ...query, watch: 'true' }), accept),
  }
}

function payload(body: unknown): string | Uint8Array {
  return typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body)
}

async function openWatch(url: string, accept: string): Promise<PlaneWatch> {
  const stopped = new AbortController()
  const response = await fetch(url, { signal: stopped.signal, headers: { Accept: accept } })
  const events = eventsOf(must(response.body, 'the body of the watch'))
  const next = async (): Promise<WatchEvent | null> => {
    const timer = new AbortController()
    const timeout = pause(60_000, 'timeout' as const, { signal: timer.signal }).catch(() => null)
    const result = await Promise.race([events.next(), timeout])
    timer.abort()
    if (result === 'timeout' || result === null) throw new Error('no event within a minute')
    return result.done === true ? null : result.value
  }
  return {
    // Keeps the response alive: when it is collected, fetch cancels a body that the test reads later.
    get status() {
      return response.status
    },
    next,
    until: async (matches) => {
      const seen: WatchEvent[] = []
      for (;;) {
        const event = await next()
        if (event === null) throw new Error(`the watch ended after ${JSON.stringify(seen)}`)
        seen.push(event)
        if (matches(event)) return seen
      }
    },
    [Symbol.asyncDispose]: async () => {
      stopped.abort()
      await events.return(undefined).catch(() => undefined)
    },
  }
}

async function* eventsOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line)
  }
}
