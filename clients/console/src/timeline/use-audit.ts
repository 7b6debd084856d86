import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Forbidden } from '../../../typescript/src/errors/status-errors.ts'
import { HYPERFLEET, useIsAllowed } from '../access/use-access.ts'
import { kindsQuery } from '../data/kinds.ts'
import { client } from '../session/connection.ts'
import { auditEntry } from './audit-entry.ts'
import { EMPTY, hiddenSource, retryPage, type TimelineSource } from './timeline-source.ts'

const PAGE_SIZE = 50
/** The maximum number of pages that are read until one has events. */
const MAX_PAGES = 10
/** Events follow their requests by about a tenth of a second, without a watch. */
const REFRESH_MS = 10_000

/** Events of the audit log, newest first. */
function auditQuery(search: string) {
  return infiniteQueryOptions({
    queryKey: ['audit', search],
    initialPageParam: '',
    queryFn: async ({ signal, pageParam }) => {
      let before = pageParam === '' ? undefined : pageParam
      for (let pages = 1; ; pages += 1) {
        // Events of planes that the caller may not see leave pages empty.
        const page = await client.audit({ search, before, limit: PAGE_SIZE, signal })
        if (page.items.length > 0 || page.next === null || pages === MAX_PAGES) return page
        before = page.next
      }
    },
    getNextPageParam: ({ next }) => next,
  })
}

interface AuditOptions {
  /** In TSL; empty for all events. */
  readonly search: string
  /** Whether the search uses an index, so that it may be repeated. */
  readonly isIndexed: boolean
  /** The plane of the object; absent for the HyperFleet API and the root plane. */
  readonly plane?: AuditedPlane | undefined
  /** Why there are no older events; null if the log has all. */
  readonly end?: string | null
}

/** The plane of a cluster. */
export interface AuditedPlane {
  /** The ID of the cluster. */
  readonly id: string
  readonly name: string
}

/** The audit log as a part of a timeline. */
export function useAudit({ search, isIndexed, plane, end = null }: AuditOptions): TimelineSource {
  const isAllowed = useMayReadAudit(plane)
  const query = useInfiniteQuery({
    ...auditQuery(search),
    enabled: isAllowed === true,
    // Older pages are not read repeatedly.
    refetchInterval: ({ state }) =>
      isIndexed && state.error === null && state.data?.pages.length === 1 ? REFRESH_MS : false,
  })
  const { data, error, hasNextPage, isPending, isFetchingNextPage, fetchNextPage } = query
  const { data: kinds } = useQuery(kindsQuery)
  const entries = useMemo(() => {
    const plurals = kinds?.map(({ plural }) => plural) ?? []
    return data?.pages.flatMap(({ items }) => items.map((event) => auditEntry(event, plurals)))
  }, [data, kinds])
  if (isAllowed === false || error instanceof Forbidden) {
    return hiddenSource(plane === undefined ? HIDDEN : HIDDEN_IN_PLANE)
  }
  return {
    ...EMPTY,
    name: 'Audit log',
    entries: entries ?? [],
    hasMore: hasNextPage,
    isPending: isAllowed === undefined || (isPending && error === null),
    isLoadingMore: isFetchingNextPage,
    error,
    loadMore: () => void fetchNextPage(),
    retry: () => retryPage(query),
    end,
  }
}

const HIDDEN = 'The audit log is hidden. The role hyperfleet-auditor shows it.'
const HIDDEN_IN_PLANE =
  'The audit log of this plane is hidden. The role hyperfleet-auditor shows it, together with list on clusters/audit or with cluster-admin in the plane.'

/** Whether the caller may read events of the audit log; undefined while its rights are read. */
function useMayReadAudit(plane: AuditedPlane | undefined): boolean | undefined {
  const list = { verb: 'list', group: HYPERFLEET } as const
  const names = plane === undefined ? [] : [plane.id, plane.name]
  const ofLog = useIsAllowed({ ...list, resource: 'audit' })
  const ofClusters = useIsAllowed({ ...list, resource: 'clusters/audit', names })
  const ofPlane = useIsAllowed({ ...list, resource: 'audit' }, plane?.id)
  if (plane === undefined || ofLog !== true) return ofLog
  if (ofClusters === true || ofPlane === true) return true
  return ofClusters === undefined || ofPlane === undefined ? undefined : false
}
