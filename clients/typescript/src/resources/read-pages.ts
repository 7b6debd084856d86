import { ApiError } from '../errors/api-error.ts'
import type { Transport } from '../http/transport.ts'
import type { ListOptions } from './list-options.ts'
import type { Page } from './page.ts'

const PAGE_SIZE = 1000

interface WireList<T> {
  readonly items: readonly T[]
  readonly total: number
  readonly total_is_estimate?: boolean | undefined
  readonly size: number
  readonly resource_version: string
  /** Null on the last page; absent from lists across shards and from servers without cursors. */
  readonly next?: string | null | undefined
}

interface Query extends ListOptions {
  readonly pageSize: number
  readonly page?: number
  readonly after?: string
}

/** A page with the query of its list. */
interface Read<T> {
  readonly query: Query
  readonly page: WireList<T>
}

/**
 * Reads the pages of a list by the cursors of the server. Lists without them are read by ranges of
 * IDs, or by page numbers if the caller chose an order.
 */
export async function* readPages<T extends { readonly id: string }>(
  transport: Transport,
  path: string,
  options: ListOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const isById = options.orderBy === undefined
  const query = {
    ...options,
    orderBy: options.orderBy ?? 'id',
    pageSize: options.pageSize ?? PAGE_SIZE,
  }
  const read = (wanted: Query) => readPage<T>(transport, path, wanted)
  let last: Read<T> = { query, page: await read(query) }
  const { total } = last.page
  for (let number = 1; ; number += 1) {
    const { page } = last
    yield {
      items: page.items,
      total: isById ? total : page.total,
      resourceVersion: page.resource_version,
    }
    if (isLast(page, query.pageSize, isById ? null : number)) return
    last = await readNext(read, last, isById ? { search: options.search } : { page: number + 1 })
  }
}

/** `number`: the number of the page, or null for ranges of IDs. */
function isLast(page: WireList<unknown>, pageSize: number, number: number | null): boolean {
  if (page.next !== undefined) return page.next === null
  const isComplete =
    number !== null && page.total_is_estimate !== true && number * pageSize >= page.total
  return page.size < pageSize || isComplete
}

/**
 * A server of an older version, beside newer ones, rejects the cursor. `without`: the next page
 * without cursors, by its number or by the search of the whole list.
 */
async function readNext<T extends { readonly id: string }>(
  read: (query: Query) => Promise<WireList<T>>,
  { query, page }: Read<T>,
  without: { readonly page: number } | { readonly search: string | undefined },
): Promise<Read<T>> {
  if (typeof page.next === 'string') {
    try {
      return { query, page: await read({ ...query, after: page.next }) }
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 400) throw error
    }
  }
  if ('page' in without) return { query, page: await read({ ...query, ...without }) }
  const rest = { ...query, search: searchAfter(without.search, page.items.at(-1)?.id ?? '') }
  return { query: rest, page: await read(rest) }
}

async function readPage<T>(
  transport: Transport,
  path: string,
  { signal, timeout, ...query }: Query,
): Promise<WireList<T>> {
  const request = {
    method: 'GET',
    path,
    query: { ...query },
    signal,
    timeout,
    retry: 'always',
  } as const
  const { body } = await transport.request<WireList<T>>(request)
  return body
}

function searchAfter(search: string | undefined, last: string): string {
  const after = `id > '${last}'`
  return search === undefined ? after : `(${search}) and ${after}`
}
