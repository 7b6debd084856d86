import http from 'node:http'
import { BASE_PATH } from '../../src/hyperfleet/paths/base-path.ts'
import type { WireObject } from './wire-object.ts'

/** A watch event on the wire. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR'
  readonly object: WireObject
  readonly resource_version: string
}

/**
 * How a watch ended: rejected with a status, completed by the server, disconnected in the middle, or
 * timed out without data.
 */
export type WatchEnd =
  | { readonly reason: 'rejected'; readonly status: number; readonly text: string }
  | { readonly reason: 'completed' | 'disconnected' | 'timed-out' }

export interface OpenWatch {
  /** Closes the socket and discards received data that has not been emitted. */
  disconnect(): void
  readonly ended: Promise<WatchEnd>
}

interface Watch {
  readonly origin: string
  /** Relative to the base path; includes the query. */
  readonly path: string
  readonly asServerSentEvents: boolean
  /** `text` is the event as received. */
  readonly onEvent: (event: WatchEvent, text: string) => void
}

/** The server sends a bookmark every second. */
const IDLE_TIMEOUT_MS = 20_000
const FIELD = 'data: '

/** Opens a watch on a new connection. */
export function openWatch({ origin, path, asServerSentEvents, onEvent }: Watch): OpenWatch {
  const headers = asServerSentEvents ? { Accept: 'text/event-stream' } : {}
  const request = http.get(origin + BASE_PATH + path, {
    agent: false,
    headers,
    timeout: IDLE_TIMEOUT_MS,
  })
  let isDisconnected = false
  let isTimedOut = false
  request.once('timeout', () => {
    isTimedOut = true
    request.destroy()
  })
  const emit = (line: string): void => {
    const text = line.startsWith(FIELD) ? line.slice(FIELD.length) : line
    if (text.startsWith('{')) onEvent(JSON.parse(text), text)
  }
  const ended = new Promise<WatchEnd>((resolve) => {
    const onClose = (): void => resolve({ reason: isTimedOut ? 'timed-out' : 'disconnected' })
    request.once('error', onClose)
    request.once('close', onClose)
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      let rest = ''
      response.setEncoding('utf8')
      response.once('error', onClose)
      response.on('data', (chunk: string) => {
        rest += chunk
        if (status !== 200) return
        const lines = rest.split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) if (!isDisconnected) emit(line)
      })
      response.once('end', () => {
        resolve(
          status === 200 ? { reason: 'completed' } : { reason: 'rejected', status, text: rest },
        )
      })
    })
  })
  return {
    disconnect: () => {
      isDisconnected = true
      request.destroy()
    },
    ended,
  }
}
