import http from 'node:http'
import { BASE_PATH } from '../../src/apis/hyperfleet/base-path.ts'
import type { Shown } from './shown.ts'

/** An event of a watch. */
export interface StreamEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: Shown
  readonly resource_version: string
}

/** How a watch ended: refused with a status, whole, or cut off by somebody. */
export type StreamEnd =
  | { readonly reason: 'refused'; readonly status: number; readonly text: string }
  | { readonly reason: 'whole' | 'cut' | 'silent' }

export interface Stream {
  /** Closes the socket; what has come with it and was not told yet is thrown away. */
  breakOff(): void
  readonly ended: Promise<StreamEnd>
}

interface Watch {
  readonly origin: string
  /** Below the base path, with its query. */
  readonly path: string
  readonly asServerSentEvents: boolean
  /** `text` is the event as it came. */
  readonly onEvent: (event: StreamEvent, text: string) => void
}

/** A watch says every second that it lives. */
const SILENCE_MS = 20_000
const FIELD = 'data: '

/** Opens a watch on a connection of its own. */
export function openStream({ origin, path, asServerSentEvents, onEvent }: Watch): Stream {
  const headers = asServerSentEvents ? { Accept: 'text/event-stream' } : {}
  const request = http.get(origin + BASE_PATH + path, {
    agent: false,
    headers,
    timeout: SILENCE_MS,
  })
  let isBroken = false
  let isSilent = false
  request.once('timeout', () => {
    isSilent = true
    request.destroy()
  })
  const tell = (line: string): void => {
    const text = line.startsWith(FIELD) ? line.slice(FIELD.length) : line
    if (text.startsWith('{')) onEvent(JSON.parse(text), text)
  }
  const ended = new Promise<StreamEnd>((resolve) => {
    const cut = (): void => resolve({ reason: isSilent ? 'silent' : 'cut' })
    request.once('error', cut)
    request.once('close', cut)
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      let rest = ''
      response.setEncoding('utf8')
      response.once('error', cut)
      response.on('data', (piece: string) => {
        rest += piece
        if (status !== 200) return
        const lines = rest.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (!isBroken) tell(line)
      })
      response.once('end', () => {
        resolve(status === 200 ? { reason: 'whole' } : { reason: 'refused', status, text: rest })
      })
    })
  })
  return {
    breakOff: () => {
      isBroken = true
      request.destroy()
    },
    ended,
  }
}
