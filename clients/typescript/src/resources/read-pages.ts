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
}

/** Reads the pages of a list: by ranges of IDs, or by number if the caller chose an order. */
export function readPages<T extends { readonly id: string }>(
  transport: Transport,
  path: string,
  options: ListOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  return options.orderBy === undefined
    ? pagesById(transport, path, options)
    : pagesByNumber(transport, path, options)
}

async function* pagesById<T extends { readonly id: string }>(
  transport: Transport,
  path: string,
  options: ListOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const pageSize = options.pageSize ?? PAGE_SIZE
  let total: number | null = null
  for (let last: string | null = null; ;) {
    const search = searchAfter(options.search, last)
    const page: WireList<T> = await readPage(transport, path, {
      ...options,
      search,
      orderBy: 'id',
      pageSize,
    })
    total ??= page.total
    yield { items: page.items, total, resourceVersion: page.resource_version }
    last = page.items.at(-1)?.id ?? null
    if (page.size < pageSize || last === null) return
  }
}

async function* pagesByNumber<T>(
  transport: Transport,
  path: string,
  options: ListOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const pageSize = options.pageSize ?? PAGE_SIZE
  for (let number = 1; ; number += 1) {
    const page: WireList<T> = await readPage(transport, path, {
      ...options,
      pageSize,
      page: number,
    })
    yield { items: page.items, total: page.total, resourceVersion: page.resource_version }
    const isComplete = page.total_is_estimate !== true && number * pageSize >= page.total
    if (page.size < pageSize || isComplete) return
  }
}

async function readPage<T>(
  transport: Transport,
  path: string,
  { signal, timeout, ...query }: ListOptions & { readonly page?: number },
): Promise<WireList<T>> {
  const request = { method: 'GET', path, query, signal, timeout, retry: 'always' } as const
  const { body } = await transport.request<WireList<T>>(request)
  return body
}

function searchAfter(search: string | undefined, last: string | null): string | undefined {
  if (last === null) return search
  const after = `id > '${last}'`
  return search === undefined ? after : `(${search}) and ${after}`
}
