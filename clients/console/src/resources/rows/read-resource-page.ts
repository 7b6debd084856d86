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
  return async (page, signal) => {
    const query = {
      ...listQuery(list),
      page: page + 1,
      pageSize,
      orderBy: order,
    }
    const path = apiPath(list.kind.plural)
    const request = { method: 'GET', path, query, signal, retry: 'always' } as const
    const { body } = await client.request<WireList>(request)
    return {
      items: body.items,
      total: body.total,
      isEstimate: body.total_is_estimate === true,
      resourceVersion: body.resource_version,
    }
  }
}
