import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { HistoryList } from '../../../../typescript/src/index.ts'
import { client } from '../../session/connection.ts'
import { apiPath } from '../../../../typescript/src/http/api-path.ts'
import type { KindResource } from './kind-resource.ts'
import type { ResourceState } from './resource-state.ts'

const MAX_CHILDREN = 100
const REPORTS_MS = 10_000
const CHANGES_PER_PAGE = 50

interface ResourceList {
  readonly items: readonly KindResource[]
  readonly total: number
  readonly resource_version: string
}

/** A resource and its children. The version is that of the children, which are read first. */
export function resourceQuery(plural: string, id: string) {
  return queryOptions({
    queryKey: ['resource', plural, id],
    // The watch continues after the version of the cached state.
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<ResourceState> => {
      const children = await childrenOf(id, signal)
      const resource = await client.collection<KindResource>(plural).get(id, { signal })
      return {
        resource,
        isRemoved: false,
        children: children.items,
        childCount: children.total,
        resourceVersion: children.resource_version,
      }
    },
  })
}

/** The search for the children of a resource. */
export function childSearch(id: string): string {
  return `owner_id='${quoted(id)}'`
}

/** The number of children of a kind. It is read again when the number of all children changes. */
export function childCountQuery(id: string, kind: string, childCount: number) {
  return queryOptions({
    queryKey: ['child count', id, kind, childCount],
    queryFn: async ({ signal }) => {
      const search = `${childSearch(id)} and kind='${quoted(kind)}'`
      const list = client.collection<KindResource>('resources')
      return (await list.list({ search, fields: 'id', pageSize: 1, signal }).firstPage()).total
    },
  })
}

/** The children of a resource by name. */
export async function childrenOf(id: string, signal?: AbortSignal): Promise<ResourceList> {
  const query = { search: childSearch(id), orderBy: 'name', pageSize: MAX_CHILDREN }
  const path = apiPath('resources')
  const request = { method: 'GET', path, query, signal, retry: 'always' } as const
  return (await client.request<ResourceList>(request)).body
}

/** Selects a resource and its children in a watch of all kinds. */
export function familySearch(id: string): string {
  return `id='${quoted(id)}' or ${childSearch(id)}`
}

/** The reports on a resource. Heartbeats cause no events, so their times are read again. */
export function reportsQuery(id: string) {
  return queryOptions({
    queryKey: ['reports', id],
    refetchInterval: REPORTS_MS,
    queryFn: ({ signal }) => client.statuses.list(id, { signal }),
  })
}

/** The recent changes of a resource, newest first. */
export function changesQuery(plural: string, id: string) {
  return infiniteQueryOptions({
    queryKey: ['changes', plural, id],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) => {
      const before = pageParam === '' ? undefined : pageParam
      const limit = CHANGES_PER_PAGE
      return client.collection<KindResource>(plural).changes(id, { signal, before, limit })
    },
    getNextPageParam: ({ next }) => next,
  })
}

/** The history of a resource before a time, newest first. Without one, all of it. */
export function historyQuery(plural: string, id: string, before?: string) {
  const end = before === undefined ? Number.POSITIVE_INFINITY : Date.parse(before)
  return infiniteQueryOptions({
    queryKey: ['history', plural, id, before],
    // Entries before a time do not change.
    ...(before !== undefined && { staleTime: Infinity }),
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }): Promise<HistoryList> => {
      const collection = client.collection<KindResource>(plural)
      let position = pageParam === '' ? undefined : pageParam
      for (;;) {
        const page = await collection.history(id, { signal, before: position })
        const items = page.items.filter(({ time }) => Date.parse(time) < end)
        if (items.length > 0 || page.next === null) return { ...page, items }
        position = page.next
      }
    },
    getNextPageParam: ({ next }) => next,
  })
}

function quoted(text: string): string {
  return text.replaceAll("'", "''")
}
