import http from 'node:http'
import https from 'node:https'
import { Readable } from 'node:stream'

/** Statuses whose responses have no body, for which `Response` rejects even an empty stream. */
const WITHOUT_BODY = [204, 205, 304]

/**
 * A `fetch` on Node's HTTP client. Loading Node's own `fetch` costs more processor time than all other
 * work of a short command, and it cannot trust the authority of a server's own certificate.
 */
export function httpFetch(ca: string | null): typeof fetch {
  return (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const { promise, resolve, reject } = newPromise<Response>()
    const options = {
      method: init.method ?? 'GET',
      headers: { ...headersOf(init.headers), 'Accept-Encoding': 'identity' },
      ...(init.signal && { signal: init.signal }),
    }
    const respond = (incoming: http.IncomingMessage) => {
      try {
        resolve(responseOf(incoming))
      } catch (error) {
        reject(error)
      }
    }
    const request =
      url.protocol === 'https:'
        ? https.request(url, { ...options, ...(ca !== null && { ca }) }, respond)
        : http.request(url, options, respond)
    request.once('error', reject)
    request.end(bodyOf(init.body))
    return promise
  }
}

function responseOf(incoming: http.IncomingMessage): Response {
  const status = incoming.statusCode ?? 500
  const headers = Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  if (WITHOUT_BODY.includes(status)) {
    incoming.resume()
    return new Response(null, { status, headers })
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node and the DOM declare the same class twice
  const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>
  return new Response(body, { status, headers })
}

function headersOf(headers: RequestInit['headers']): Record<string, string> {
  return headers === undefined ? {} : Object.fromEntries(Object.entries(headers))
}

function bodyOf(body: RequestInit['body']): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  throw new TypeError('only text can be sent')
}

function newPromise<T>() {
  let resolve: (value: T) => void = () => undefined
  let reject: (reason: unknown) => void = () => undefined
  const promise = new Promise<T>((resolvePromise, rejectPromise) => {
    resolve = resolvePromise
    reject = rejectPromise
  })
  return { promise, resolve, reject }
}
