import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { NotFound } from '../../../typescript/src/index.ts'
import { changeEntry, historyEntry } from '../timeline/change-entry.ts'
import { is } from '../timeline/timeline-filter.ts'
import { TimelinePanel } from '../timeline/timeline-panel.tsx'
import { EMPTY, ofOne, retryPage, type TimelineSource } from '../timeline/timeline-source.ts'
import { useAudit } from '../timeline/use-audit.ts'
import { useEvents } from '../timeline/use-events.ts'
import { changesQuery, historyQuery } from './data/resource-query.ts'

interface ResourceTimelineProps {
  readonly plural: string
  readonly id: string
  /** Whether the resource was removed before the page was opened. */
  readonly isGone?: boolean
}

/** The changes, the events and the audit log of a resource, also of one that was removed. */
export function ResourceTimeline({ plural, id, isGone = false }: ResourceTimelineProps) {
  const changes = useChanges({ plural, id, isGone })
  const events = useEvents({ plane: 'root', selector: `involvedObject.uid=${id}` })
  const hasPlane = plural === 'clusters' && !isGone
  const warnings = useEvents({ plane: id, selector: 'type=Warning', isEnabled: hasPlane })
  const audit = useAudit({ search: is('resource_id', id), isIndexed: true })
  return (
    <TimelinePanel
      filter={{ what: id }}
      sources={[ofOne(changes), ofOne(events), warnings, ofOne(audit)]}
    />
  )
}

const REFRESH_MS = 10_000

/**
 * The log of changes, and then the history, which is kept for longer. Of a resource that is gone, the
 * history has more: who forced the deletion, and why.
 */
function useChanges({ plural, id, isGone }: Required<ResourceTimelineProps>): TimelineSource {
  const recent = useInfiniteQuery({ ...changesQuery(plural, id), enabled: !isGone })
  const recentChanges = useMemo(
    () => recent.data?.pages.flatMap(({ items }) => items) ?? [],
    [recent.data],
  )
  const isLogRead = recent.isSuccess && !recent.hasNextPage
  const needsHistory = isGone || (isLogRead && recent.data.pages.at(-1)?.complete === false)
  const history = useInfiniteQuery({
    ...historyQuery(plural, id, recentChanges.at(-1)?.time),
    enabled: needsHistory,
    placeholderData: keepPreviousData,
    // The removal enters the history after its response. Older pages are not read repeatedly.
    refetchInterval: ({ state }) =>
      isGone && state.error === null && state.data?.pages.length === 1 ? REFRESH_MS : false,
  })
  const older = useMemo(
    () => history.data?.pages.flatMap(({ items }) => items) ?? [],
    [history.data],
  )
  const isCut =
    needsHistory && !history.hasNextPage && history.data?.pages.at(-1)?.complete === false
  const last = needsHistory ? history : recent
  const isUnknown = last.error instanceof NotFound
  const error = isUnknown ? null : last.error
  return {
    ...EMPTY,
    name: 'Changes',
    entries: useMemo(
      () => [...recentChanges.map((change) => changeEntry(change)), ...older.map(historyEntry)],
      [recentChanges, older],
    ),
    hasMore: last.hasNextPage,
    isPending: last.isPending && error === null && !isUnknown,
    isLoadingMore: last.isFetchingNextPage,
    error,
    loadMore: () => void last.fetchNextPage(),
    retry: () => retryPage(last),
    end: isCut ? DROPPED : null,
  }
}

const DROPPED = 'Older changes have been dropped. HISTORY_RETENTION sets how long they are kept.'
