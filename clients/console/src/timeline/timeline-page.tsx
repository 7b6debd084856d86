import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { Forbidden } from '../../../typescript/src/errors/status-errors.ts'
import { kindsQuery } from '../data/kinds.ts'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { useOverview } from '../overview/use-overview.ts'
import { usePlaneLabel } from '../planes/plane-label.ts'
import { changeEntry } from './change-entry.ts'
import { TimelineFilters } from './timeline-filters.tsx'
import { auditSearch, matchesFilter, type TimelineFilter } from './timeline-filter.ts'
import { TimelineList } from './timeline-list.tsx'
import { EMPTY, hiddenSource, type TimelineSource } from './timeline-source.ts'
import { useAudit } from './use-audit.ts'
import { useEvents } from './use-events.ts'

/** What happened in the fleet: the last changes, the events of a plane and the audit log. */
export function TimelinePage() {
  const filter = useSearch({ from: '/timeline' })
  return (
    <Page title="Timeline">
      <Panel title="Changes, events and audit log">
        <TimelineFilters filter={filter} />
        <Entries filter={filter} />
      </Panel>
    </Page>
  )
}

function Entries({ filter }: { readonly filter: TimelineFilter }) {
  const { clusterId } = usePlaneLabel(filter.where ?? ROOT)
  const changes = useFleetChanges(filter)
  const events = useEvents({ plane: clusterId ?? ROOT })
  const search = auditSearch(filter, clusterId)
  const audit = useAudit({ search, isIndexed: search === '' })
  const shown = { ...events, entries: events.entries.filter((one) => matchesFilter(one, filter)) }
  return <TimelineList sources={[changes, shown, audit]} />
}

const ROOT = 'root'

/** The last changes of all resources that the caller may list, live. */
function useFleetChanges(filter: TimelineFilter): TimelineSource {
  const { data, error, isPending } = useOverview()
  const { data: kinds = [] } = useQuery(kindsQuery)
  const entries = useMemo(
    () =>
      (data?.recent ?? [])
        .map((change) =>
          changeEntry(change, kinds.find(({ kind }) => kind === change.kind)?.plural),
        )
        .filter((entry) => matchesFilter(entry, filter)),
    [data?.recent, kinds, filter],
  )
  if (error instanceof Forbidden) {
    return hiddenSource('Changes are hidden. A role that lists a kind shows its changes.')
  }
  return {
    ...EMPTY,
    entries,
    isPending: isPending && error === null,
    error,
    end: 'Changes are the last ones of the fleet. The page of a resource has all of its changes.',
  }
}
