import { setTimeout as sleep } from 'node:timers/promises'
import { unreachable } from '../../../src/lib/assert.ts'
import type { Ledger } from './ledger.ts'
import type { LoadClient, LoadRequest, Outcome } from './load-client.ts'

const PAUSE_MS = 100

/** The last response to a request that was repeated until a response decided it. */
export interface Decided {
  readonly status: number
  readonly headers: Extract<Outcome, { kind: 'response' }>['headers']
  readonly body: Extract<Outcome, { kind: 'response' }>['body']
  /** Whether the outcome of an earlier attempt is unknown. */
  readonly isRepeated: boolean
  /** When the last attempt began, on the clock of `performance`. */
  readonly startedAt: number
}

interface Options {
  readonly client: LoadClient
  readonly ledger: Ledger
  /** Aborted when requests are no longer repeated. */
  readonly deadline: AbortSignal
}

/**
 * Repeats a request as a correct client does: after a refused or broken connection, and after 429,
 * 502, 503 and 504, with the pause of `Retry-After`. Null if no attempt before the deadline decided.
 */
export async function sendPersistently(
  request: LoadRequest,
  { client, ledger, deadline }: Options,
): Promise<Decided | null> {
  const { attempts } = ledger
  let isRepeated = false
  while (!deadline.aborted) {
    const startedAt = performance.now()
    const outcome = await client.send(request)
    let pauseMs = PAUSE_MS
    switch (outcome.kind) {
      case 'refused':
        attempts.refused += 1
        break
      case 'lost':
        attempts.lost += 1
        isRepeated = true
        break
      case 'response': {
        const { status, headers, body } = outcome
        if (status < 500 && status !== 429) return { status, headers, body, isRepeated, startedAt }
        if (isUnavailable(status, body))
          ledger.postpone(`${status} ${String(body['detail'] ?? '')}`)
        else if (status === 502 || status === 504) attempts.lost += 1
        else ledger.fail(`${request.method} ${request.path}: ${status} ${JSON.stringify(body)}`)
        isRepeated = true
        pauseMs = Math.max(PAUSE_MS, 1000 * Number(headers['retry-after'] ?? 0))
        break
      }
      default:
        unreachable(outcome)
    }
    await sleep(pauseMs, undefined, { signal: deadline }).catch(() => undefined)
  }
  return null
}

/** Flotilla's own 504, which has a code, means that the server waited too long for a change. */
function isUnavailable(status: number, { code }: Decided['body']): boolean {
  return status === 429 || status === 503 || (status === 504 && code !== undefined)
}
