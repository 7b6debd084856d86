import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { isObject } from '../../../typescript/src/http/json.ts'
import type { WatchEvent } from '../../../typescript/src/watch/watch-event.ts'
import { queryClient } from '../data/query-client.ts'
import { useLive } from '../live/use-live.ts'
import { client } from '../session/connection.ts'
import { applyEvents, type ItemRules } from './apply-events.ts'
import { listMetadata } from './read-objects.ts'

/** A list of a plane that follows its changes. */
export interface LiveListOptions<T> extends Omit<ItemRules<T>, 'isComplete'> {
  /** The name or ID of the cluster, or `root`. */
  readonly plane: string
  /** The path of the list in the plane. */
  readonly path: string
  readonly query?: Readonly<Record<string, string | undefined>>
  /** The media type, such as that of tables. */
  readonly accept?: string
  /** Reads the items of a page, and the item of an event. */
  readonly readItems: (body: unknown) => readonly T[]
  readonly pageSize?: number
  /** Loads all pages, for lists that are shown as a whole. */
  readonly isWhole?: boolean
  /** Waits with the request, such as until another one has finished. */
  readonly isEnabled?: boolean
}

interface ListPage<T> {
  readonly items: readonly T[]
  /** The page as the server sent it, without its items. */
  readonly head: Readonly<Record<string, unknown>>
  readonly version: string
  readonly next: string | undefined
  readonly remaining: number
}

const PAGE_SIZE = 250
const MAX_ITEMS = 2000

/** Loads the first pages of a list and applies its changes as they happen. */
export function useLiveList<T>(options: LiveListOptions<T>) {
  const { plane, path, query, accept = 'application/json', isEnabled = true } = options
  const key = useMemo(() => ['plane', plane, path, accept, query], [plane, path, accept, query])
  const identity = JSON.stringify(key)
  const list = useInfiniteQuery({
    queryKey: key,
    enabled: isEnabled,
    // The watch keeps the list current.
    staleTime: Number.POSITIVE_INFINITY,
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) => readPage(options, pageParam, signal),
    getNextPageParam: (page: ListPage<T>) => page.next,
  })
  const pages = list.data?.pages
  const version = pages?.[0]?.version
  const isComplete = pages !== undefined && !list.hasNextPage
  useLive<unknown>(
    version === undefined || !isEnabled
      ? null
      : {
          key: identity,
          from: version,
          open: (start) =>
            client.plane(plane).watch(path, { ...start, query, headers: { Accept: accept } }),
          onBatch: (events) => update(key, eventItems(options, events), { ...options, isComplete }),
          onReset: async () => {
            const { data } = await list.refetch()
            return data?.pages[0]?.version ?? ''
          },
        },
  )
  const { fetchNextPage, hasNextPage, isFetchingNextPage, isFetchNextPageError } = list
  const items = useMemo(() => pages?.flatMap((page) => page.items) ?? [], [pages])
  const isWhole = options.isWhole ?? false
  const loadsMore = isWhole && hasNextPage && !isFetchingNextPage && !isFetchNextPageError
  useEffect(() => {
    if (loadsMore) void fetchNextPage()
  }, [loadsMore, fetchNextPage])
  return {
    items,
    head: pages?.[0]?.head ?? {},
    isPending: list.isPending,
    error: list.error,
    retry: () => void list.refetch(),
    isComplete,
    remaining: pages?.at(-1)?.remaining ?? 0,
    canLoadMore: hasNextPage && items.length < MAX_ITEMS,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage(),
  }
}

async function readPage<T>(
  { plane, path, query, accept, readItems, pageSize = PAGE_SIZE }: LiveListOptions<T>,
  token: string,
  signal: AbortSignal,
): Promise<ListPage<T>> {
  const body = await client.plane(plane).request({
    method: 'GET',
    path,
    query: { ...query, limit: pageSize, continue: token === '' ? undefined : token },
    headers: { Accept: accept ?? 'application/json' },
    signal,
  })
  const { items: _, rows: _rows, ...head } = isObject(body) ? body : {}
  const metadata = listMetadata(body)
  return {
    items: readItems(body),
    head,
    version: metadata.resourceVersion ?? '',
    next: metadata.continue === '' ? undefined : metadata.continue,
    remaining: metadata.remainingItemCount ?? 0,
  }
}

/** Converts the objects of events to items, as those of pages. */
function eventItems<T>(
  { readItems }: Pick<LiveListOptions<T>, 'readItems'>,
  events: readonly WatchEvent<unknown>[],
): readonly WatchEvent<T>[] {
  return events.flatMap<WatchEvent<T>>((event) => {
    if (!('object' in event)) return [event]
    const { object } = event
    const isTable = isObject(object) && object['kind'] === 'Table'
    const items = readItems(isTable ? object : { items: [object] })
    return items.map((item) => ({ ...event, object: item }))
  })
}

/** Keeps all items in the first page: the following pages continue after the last one. */
function update<T>(
  key: readonly unknown[],
  events: readonly WatchEvent<T>[],
  rules: ItemRules<T>,
): void {
  queryClient.setQueryData<InfiniteData<ListPage<T>>>(key, (data) => {
    if (data === undefined) return data
    const items = applyEvents(
      data.pages.flatMap((page) => page.items),
      events,
      rules,
    )
    const pages = data.pages.map((page, index) => ({ ...page, items: index === 0 ? items : [] }))
    return { ...data, pages }
  })
}
