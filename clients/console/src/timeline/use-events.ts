import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Forbidden, NotFound } from '../../../typescript/src/errors/status-errors.ts'
import { useIsAllowed } from '../access/use-access.ts'
import { listPath } from '../kube/object-path.ts'
import { hasNextPage, readObjects } from '../kube/read-objects.ts'
import { client } from '../session/connection.ts'
import { eventEntry, type KubeEvent } from './event-entry.ts'
import type { TimelineEntry } from './timeline-entry.ts'
import { EMPTY, hiddenSource, type TimelineSource } from './timeline-source.ts'

/** Events are listed by name, so that the newest ones are only known of all. */
const MAX_EVENTS = 500
const REFRESH_MS = 10_000
const KIND = { group: '', version: 'v1', plural: 'events' } as const

interface EventsOptions {
  /** The ID of a cluster, or `root`. */
  readonly plane: string
  /** Empty for all namespaces. */
  readonly namespace?: string
  /** Such as `involvedObject.name=settings`. */
  readonly selector?: string | undefined
  /** Whether the plane exists. */
  readonly isEnabled?: boolean
}

/** The events of a plane as a part of a timeline. */
export function useEvents(options: EventsOptions): TimelineSource {
  const { plane, namespace = '', selector, isEnabled = true } = options
  const operation = { verb: 'list', group: '', resource: 'events' }
  const isAllowed = useIsAllowed(
    operation,
    isEnabled ? plane : 'root',
    namespace === '' ? undefined : namespace,
  )
  const { data, error, isPending, refetch } = useQuery<EventsPage>({
    queryKey: ['plane events', plane, namespace, selector],
    enabled: isEnabled && isAllowed === true,
    refetchInterval: ({ state }) => (state.error === null ? REFRESH_MS : false),
    queryFn: ({ signal }) => readEvents({ plane, namespace, selector }, signal),
  })
  const entries = useMemo(
    () => data?.events.map((event) => eventEntry(event, plane)).toSorted(byTime),
    [data, plane],
  )
  if (!isEnabled) return EMPTY
  if (isAllowed === false || error instanceof Forbidden) {
    return hiddenSource(
      'The events of the plane are hidden. A role with list on events shows them.',
    )
  }
  return {
    ...EMPTY,
    name: plane === 'root' ? 'Events of the root plane' : 'Events of the plane',
    entries: entries ?? [],
    isPending: isAllowed === undefined || (isPending && error === null),
    // The plane ends with its cluster.
    error: error instanceof NotFound ? null : error,
    retry: () => void refetch(),
    end: data?.isCut === true ? `Only ${MAX_EVENTS} events of the plane were read.` : null,
  }
}

function byTime(a: TimelineEntry, b: TimelineEntry): number {
  return Date.parse(b.time) - Date.parse(a.time)
}

interface EventsPage {
  readonly events: readonly KubeEvent[]
  /** Whether there are more. */
  readonly isCut: boolean
}

async function readEvents(
  { plane, namespace, selector }: EventsOptions,
  signal: AbortSignal,
): Promise<EventsPage> {
  const body = await client.plane(plane).request({
    method: 'GET',
    path: listPath(KIND, namespace),
    query: { limit: MAX_EVENTS, fieldSelector: selector },
    signal,
  })
  return { events: readObjects<KubeEvent>(body), isCut: hasNextPage(body) }
}
