import type { ApiError } from '../errors/api-error.ts'
import type { Problem } from '../generated/hyperfleet.ts'
import { readErrorObject } from '../http/read-error.ts'
import type { Transport } from '../http/transport.ts'
import { createRequest } from './create-request.ts'
import type { CreateOptions } from './write-options.ts'

/** Options of bulk creates. */
export interface CreateManyOptions extends CreateOptions {
  /** Creates nothing and rejects if one item fails. */
  readonly atomic?: boolean | undefined
}

/** The result of one item: the created resource, or the error. */
export type CreateResult<T> =
  | { readonly resource: T; readonly error: null }
  | { readonly resource: null; readonly error: ApiError }

interface WireResult<T> {
  readonly items: readonly {
    readonly resource?: T | undefined
    readonly error?: Problem | undefined
  }[]
}

/** Creates up to 1000 resources in one request, with a result for each in their order. */
export async function createMany<T>(
  transport: Transport,
  { path, items }: { readonly path: string; readonly items: readonly unknown[] },
  { atomic, ...options }: CreateManyOptions,
): Promise<readonly CreateResult<T>[]> {
  const request = createRequest(path, { items, atomic }, options)
  const { body } = await transport.request<WireResult<T>>(request)
  return body.items.map(({ resource, error }) =>
    resource === undefined
      ? { resource: null, error: readErrorObject({ ...error }) }
      : { resource, error: null },
  )
}
