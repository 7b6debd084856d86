import { createApiError } from '../errors/create-api-error.ts'
import type { ApiError } from '../errors/api-error.ts'
import { readErrorObject } from '../http/read-error.ts'
import { apiPath } from '../http/api-path.ts'
import { isTransient } from '../http/is-transient.ts'
import { isObject } from '../http/json.ts'
import { jsonLines } from '../http/json-lines.ts'
import type { CallOptions } from '../http/request.ts'
import { sleep } from '../http/sleep.ts'
import type { Transport } from '../http/transport.ts'
import { Snapshot } from './snapshot.ts'

/** Options of {@link readStates}. */
export interface StatesOptions extends CallOptions {
  /** The resource types to include: plurals, `plural.group`, and `statuses`. */
  readonly resource?: string | readonly string[] | undefined
  /** Rejects names that a cluster and its plane lack; by default they are ignored. */
  readonly strict?: boolean | undefined
  readonly includeEmpty?: boolean | undefined
  readonly minResourceVersion?: string | undefined
}

/** The result for one cluster: its snapshot, or the error. */
export type StateResult =
  | { readonly id: string; readonly snapshot: Snapshot; readonly error: null }
  | { readonly id: string; readonly snapshot: null; readonly error: ApiError }

const MAX_IDS = 1000
const SILENCE_MS = 60_000

/** Reads many snapshots, in chunks of 1000, in the order of the IDs. Resumes a broken response. */
export async function* readStates(
  transport: Transport,
  ids: readonly string[],
  options: StatesOptions,
): AsyncGenerator<StateResult, void, undefined> {
  let received = 0
  for (let failures = 0; received < ids.length;) {
    const chunk = ids.slice(received, received + MAX_IDS)
    try {
      for await (const result of readChunk(transport, chunk, options)) {
        received += 1
        failures = 0
        yield result
      }
    } catch (error) {
      options.signal?.throwIfAborted()
      failures += 1
      if (!isTransient(error) || failures > transport.retries) throw error
      await sleep(transport.retryDelay(failures, error), options.signal)
    }
  }
}

async function* readChunk(
  transport: Transport,
  ids: readonly string[],
  { signal, timeout, ...selection }: StatesOptions,
): AsyncGenerator<StateResult, void, undefined> {
  const path = apiPath('snapshots')
  const body = { ids, ...selection }
  const request = { method: 'POST', path, body, signal, timeout, retry: 'always' } as const
  let index = 0
  for await (const line of jsonLines(transport, request, SILENCE_MS)) {
    if (!isObject(line)) continue
    yield resultOf(ids[index] ?? '', line)
    index += 1
  }
  if (index < ids.length) throw incomplete(index, ids.length)
}

function resultOf(id: string, line: Readonly<Record<string, unknown>>): StateResult {
  const { error } = line
  if (isObject(error)) return { id, snapshot: null, error: readErrorObject(error) }
  return { id, snapshot: new Snapshot(line), error: null }
}

function incomplete(received: number, expected: number): ApiError {
  return createApiError({
    status: 0,
    code: 'ConnectionLost',
    message: `the response ended after ${received} of ${expected} snapshots: repeat the call`,
    requestId: null,
    errors: [],
    retryAfter: null,
  })
}
