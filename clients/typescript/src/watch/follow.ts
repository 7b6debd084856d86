import { ApiError } from '../errors/api-error.ts'
import { isObject } from '../http/json.ts'
import { isTransient } from '../http/is-transient.ts'
import { jsonLines } from '../http/json-lines.ts'
import { readErrorObject } from '../http/read-error.ts'
import type { ApiRequest } from '../http/request.ts'
import { sleep } from '../http/sleep.ts'
import type { Transport } from '../http/transport.ts'
import type { WatchEvent } from './watch-event.ts'

/** A list to watch. */
export interface WatchedList<T> {
  /** The request of a watch that starts after a resource version, or from the beginning if empty. */
  readonly requestFor: (resourceVersion: string) => ApiRequest
  /** Reads an event; null if the line has an unknown form, which is skipped. */
  readonly read: (line: Readonly<Record<string, unknown>>) => WatchEvent<T> | null
}

/** Options of watches. */
export interface WatchOptions {
  /** Ends the watch. */
  readonly signal?: AbortSignal | undefined
  /** Starts after this version of a list or an event, instead of with the existing objects. */
  readonly resourceVersion?: string | undefined
  /** Receives the failures after which the watch reconnects. */
  readonly onRetry?: ((error: unknown) => void) | undefined
  /** Called when the server has accepted the watch: at the start, and after each reconnect. */
  readonly onConnect?: (() => void) | undefined
}

const GONE = 410

/**
 * Watches a list until the signal aborts. Reconnects after failures and resumes after the last
 * event, so that no event is lost or repeated. If the server no longer has the changes, a RESET
 * precedes the existing objects. A watch that has never connected fails like any other call.
 */
export async function* follow<T>(
  transport: Transport,
  list: WatchedList<T>,
  { signal, resourceVersion = '', onRetry, onConnect }: WatchOptions,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  let version = resourceVersion
  let hasState = version !== ''
  let hasConnected = false
  for (let failures = 0; ;) {
    let hasReceived = false
    try {
      for await (const line of jsonLines(transport, {
        ...list.requestFor(version),
        onOpen: onConnect,
      })) {
        hasConnected = true
        hasReceived = true
        failures = 0
        const event = isObject(line) ? eventOf(line, list) : null
        if (event === null) continue
        version = event.resourceVersion === '' ? version : event.resourceVersion
        hasState = true
        yield event
      }
      // The server ended the watch: immediate reconnects of all clients would be a burst.
      failures += hasReceived ? 0 : 1
      await sleep(transport.retryDelay(Math.max(1, failures), null), signal)
    } catch (error) {
      signal?.throwIfAborted()
      failures += 1
      const isGone = error instanceof ApiError && error.status === GONE
      if (isGone) version = ''
      else if (!isTransient(error) || isExhausted(hasConnected, failures, transport)) throw error
      onRetry?.(error)
      await sleep(transport.retryDelay(failures, error), signal)
    }
    if (version === '' && hasState) {
      hasState = false
      yield { type: 'RESET', resourceVersion: '' }
    }
  }
}

function isExhausted(hasConnected: boolean, failures: number, { retries }: Transport): boolean {
  return !hasConnected && failures > retries
}

function eventOf<T>(
  line: Readonly<Record<string, unknown>>,
  list: WatchedList<T>,
): WatchEvent<T> | null {
  if (line['type'] !== 'ERROR') return list.read(line)
  throw readErrorObject(isObject(line['object']) ? line['object'] : {})
}
