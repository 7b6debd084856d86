import type { Transport } from '../http/transport.ts'
import { changeRequest } from './change-request.ts'
import type { ChangeOptions } from './write-options.ts'

/** The result of an upsert. */
export interface UpsertResult<T> {
  readonly resource: T
  /** Whether the resource was created, replaced, or already equal. */
  readonly outcome: 'created' | 'replaced' | 'unchanged'
}

/** Creates a resource, or replaces the spec and labels of the one with this name. */
export async function upsert<T>(
  transport: Transport,
  { path, body }: { readonly path: string; readonly body: unknown },
  options: ChangeOptions,
): Promise<UpsertResult<T>> {
  const request = { method: 'PUT', path, body, ...changeRequest(options) } as const
  const response = await transport.request<T>(request)
  const outcome = outcomeOf(response.headers.get('x-hyperfleet-upsert'))
  return { resource: response.body, outcome }
}

function outcomeOf(header: string | null): UpsertResult<unknown>['outcome'] {
  return header === 'created' || header === 'unchanged' ? header : 'replaced'
}
