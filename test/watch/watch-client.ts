import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import { must } from '../../src/lib/assert.ts'
import type { TestServer } from '../support/test-server.ts'

/** An event of a watch. */
export interface WatchedEvent {
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into any JSON
  readonly object: any
  readonly resource_version: string
  /** The id of a server-sent event. */
  readonly id?: string
}

/** A watch over HTTP, which receives events until it is disposed. */
export interface WatchClient extends Disposable {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** All events so far. */
  readonly events: readonly WatchedEvent[]
  /** All text so far. */
  readonly text: string
  /** `whole` if the server ended the response, `cut` if the connection broke. */
  readonly ended: Promise<'whole' | 'cut'>
  /** Resolves with the first event that matches. */
  until(matches: (event: WatchedEvent) => boolean): Promise<WatchedEvent>
  /** The events of changes, without bookmarks. */
  changes(): readonly WatchedEvent[]
  /** Stops reading. */
  pause(): void
  /** Continues reading. */
  resume(): void
}

/** Opens a watch; resolves when the head of the response arrives. */
export async function openWatch(
  server: Pick<TestServer, 'origin'>,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<WatchClient> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(server.origin + BASE_PATH + path, { headers, agent: false }, resolve).on('error', reject)
  })
  const events: WatchedEvent[] = []
  const waiting = new Set<() => void>()
  let text = ''
  let parsed = 0
  const isEvents = response.headers['content-type'] === 'text/event-stream'
  response.setEncoding('utf8')
  response.on('data', (piece: string) => {
    text += piece
    const separator = isEvents ? '\n\n' : '\n'
    for (
      let end = text.indexOf(separator, parsed);
      end >= 0;
      end = text.indexOf(separator, parsed)
    ) {
      const event = eventIn(text.slice(parsed, end), isEvents)
      if (event) events.push(event)
      parsed = end + separator.length
    }
    for (const look of waiting) look()
  })
  const ended = new Promise<'whole' | 'cut'>((resolve) => {
    response.on('end', () => resolve('whole'))
    response.on('error', () => resolve('cut'))
  })
  return {
    status: must(response.statusCode, 'a status'),
    headers: response.headers,
    events,
    get text() {
      return text
    },
    ended,
    until: (matches) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = events.find(matches)
          if (!found) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        void ended.then((how) => reject(new Error(`the watch ended (${how}): ${text.slice(-500)}`)))
        look()
      }),
    changes: () => events.filter(({ type }) => type !== 'BOOKMARK'),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    [Symbol.dispose]: () => void response.destroy(),
  }
}

function eventIn(piece: string, isEvents: boolean): WatchedEvent | null {
  if (!isEvents) return JSON.parse(piece)
  const fields = new Map(
    piece.split('\n').map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 2)] as const
    }),
  )
  const data = fields.get('data')
  if (data === undefined) return null
  const id = fields.get('id')
  return { ...JSON.parse(data), ...(id !== undefined && { id }) }
}

/** The revision of a resource version. */
export function revisionOf(token: string): number {
  return Number(token.split('.')[1])
}

/** The state of a client that applies all events: objects by id, or by adapter. */
export function stateOf(events: readonly WatchedEvent[]): Map<string, unknown> {
  const state = new Map<string, unknown>()
  for (const { type, object } of events) {
    const key = object.id ?? object.adapter
    if (type === 'DELETED') state.delete(key)
    else if (type !== 'BOOKMARK') state.set(key, object)
  }
  return state
}

/** The value of a metric of the server; 0 if it is missing. */
export async function metricOf(server: TestServer, name: string): Promise<number> {
  const text = await (await fetch(`${server.metricsOrigin}/metrics`)).text()
  const line = text.split('\n').find((each) => each.startsWith(`${name} `))
  return line === undefined ? 0 : Number(line.slice(name.length + 1))
}
