import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Forbidden } from '../../../typescript/src/errors/status-errors.ts'
import type { KindDescription } from '../../../typescript/src/index.ts'
import { kindsQuery } from '../data/kinds.ts'
import { type Hold, useHeld, useHold } from '../design/hooks/use-hold.ts'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { useOverview } from '../overview/use-overview.ts'
import { usePlaneLabel } from '../planes/plane-label.ts'
import { changeEntry } from './change-entry.ts'
import { TimelineFilters } from './timeline-filters.tsx'
import { auditSearch, matchesEvent, matchesFilter, type TimelineFilter } from './timeline-filter.ts'
import { TimelineList } from './timeline-list.tsx'
import { EMPTY, hiddenSource, type TimelineSource } from './timeline-source.ts'
import { useAudit } from './use-audit.ts'
import { useEvents } from './use-events.ts'

/**
 * What happened in the fleet: the last changes, the events of a plane and the audit log. While someone
 * uses the list, no change leaves it.
 */
export function TimelinePage() {
  const filter = useSearch({ from: '/timeline' })
  const hold = useHold()
  return (
    <Page title="Timeline">
      <Panel
        title="Changes, events and audit log"
        note={hold.isHeld ? 'changes are paused' : undefined}
      >
        <TimelineFilters filter={filter} />
        <Entries filter={filter} hold={hold} />
      </Panel>
    </Page>
  )
}

interface EntriesProps {
  readonly filter: TimelineFilter
  readonly hold: Hold
}

function Entries({ filter, hold }: EntriesProps) {
  const { clusterId, isLoading } = usePlaneLabel(filter.where ?? ROOT)
  // The search of the audit log has the ID of the plane, and is sent once.
  return isLoading ? <Skeleton lines={5} /> : <Logs filter={filter} hold={hold} plane={clusterId} />
}

interface LogsProps extends EntriesProps {
  /** The ID of the cluster that the filter names, or null. */
  readonly plane: string | null
}

function Logs({ filter, hold, plane }: LogsProps) {
  const { data: kinds = [] } = useQuery(kindsQuery)
  const changes = useFleetChanges({ filter, hold }, kinds)
  const events = useEvents({ plane: plane ?? ROOT })
  const search = auditSearch(filter, plane)
  const audit = useAudit({ search, isIndexed: search === '' })
  const kind = kinds.find(({ plural }) => plural === filter.what)?.kind ?? null
  const entries = events.entries.filter((one) => matchesEvent(one, filter, { plane, kind }))
  return (
    <TimelineList sources={[changes, { ...events, entries }, audit]} handlers={hold.handlers} />
  )
}

const ROOT = 'root'

/** The last changes of all resources that the caller may list, live. */
function useFleetChanges(
  { filter, hold: { isHeld } }: EntriesProps,
  kinds: readonly KindDescription[],
): TimelineSource {
  const { data, error, isPending, refetch } = useOverview()
  const recent = useHeld(data?.recent, isHeld)
  const entries = useMemo(
    () =>
      (recent ?? [])
        .map((change) =>
          changeEntry(change, kinds.find(({ kind }) => kind === change.kind)?.plural),
        )
        .filter((entry) => matchesFilter(entry, filter)),
    [recent, kinds, filter],
  )
  if (error instanceof Forbidden) {
    return hiddenSource('Changes are hidden. A role that lists a kind shows its changes.')
  }
  return {
    ...EMPTY,
    name: 'Changes',
    entries,
    isPending: isPending && error === null,
    error,
    retry: () => void refetch(),
    end: 'Changes are the last ones of the fleet. The page of a resource has all of its changes.',
  }
}
