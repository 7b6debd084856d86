import { ApiError } from '../../../../typescript/src/errors/api-error.ts'
import type { KindDescription } from '../../../../typescript/src/generated/hyperfleet.ts'
import { apiPath } from '../../../../typescript/src/http/api-path.ts'
import { client } from '../../session/connection.ts'
import { listFields, type ListedResource } from '../listed-resource.ts'
import { PAGE_SIZE, type ReadPage } from './row-list.ts'

/** A list of a kind. */
export interface ListedKind {
  readonly kind: Pick<KindDescription, 'plural' | 'parent_kind'>
  /** A TSL expression; empty for all. */
  readonly search: string
}

interface WireList {
  readonly items: readonly ListedResource[]
  readonly total: number
  readonly total_is_estimate?: boolean
  readonly resource_version: string
  readonly next?: string | null
}

/** The query that selects the resources of a list and their fields, for lists and watches. */
export function listQuery({ kind, search }: ListedKind): Readonly<Record<string, string>> {
  const fields = listFields(kind.parent_kind !== null)
  return search === '' ? { fields } : { fields, search }
}

/** Reads the pages of a list in an order such as `name asc`. */
export function readResourcePage(
  list: ListedKind,
  order: string,
  pageSize = PAGE_SIZE,
): ReadPage<ListedResource> {
  const path = apiPath(list.kind.plural)
  return async (page, after, signal) => {
    const read = async (place: { readonly page: number } | { readonly after: string }) => {
      const query = { ...listQuery(list), ...place, pageSize, orderBy: order }
      const request = { method: 'GET', path, query, signal, retry: 'always' } as const
      return (await client.request<WireList>(request)).body
    }
    const byNumber = { page: page + 1 }
    const body = await read(after === null ? byNumber : { after }).catch((error: unknown) => {
      // A server of an older version, beside newer ones, rejects the cursor.
      const isRejected = after !== null && error instanceof ApiError && error.status === 400
      if (!isRejected) throw error
      return read(byNumber)
    })
    return {
      items: body.items,
      total: body.total,
      isEstimate: body.total_is_estimate === true,
      resourceVersion: body.resource_version,
      next: body.next ?? null,
    }
  }
}
