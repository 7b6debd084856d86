import { randomKey } from '../http/random-key.ts'
import type { ApiRequest } from '../http/request.ts'
import type { CreateOptions } from './write-options.ts'

/** A create that can be repeated, because it has an idempotency key. */
export function createRequest(
  path: string,
  body: unknown,
  { idempotencyKey = randomKey(), dryRun, signal, timeout }: CreateOptions,
): ApiRequest {
  return {
    method: 'POST',
    path,
    body,
    query: { dryRun: dryRun === true ? 'All' : undefined },
    headers: { 'Idempotency-Key': idempotencyKey },
    signal,
    timeout,
    retry: 'always',
  }
}
