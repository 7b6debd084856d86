import { queryOptions } from '@tanstack/react-query'
import { apiPath } from '../../../typescript/src/http/api-path.ts'
import { transport } from '../session/connection.ts'

/** A kind of resources, as the server declares it. */
export interface KindInfo {
  readonly kind: string
  readonly plural: string
  readonly parent_kind: string | null
  readonly required_adapters: readonly string[]
  readonly name_min_length: number
  readonly name_max_length: number
  /** The name of the schema of `spec` in the OpenAPI document. */
  readonly spec_schema: string
}

/** The kinds of the server. */
export const kindsQuery = queryOptions({
  queryKey: ['kinds'],
  staleTime: 300_000,
  queryFn: async ({ signal }) => {
    const request = { method: 'GET', path: apiPath('kinds'), signal, retry: 'always' } as const
    const { body } = await transport.request<{ readonly items: readonly KindInfo[] }>(request)
    return body.items
  },
})
