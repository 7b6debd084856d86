import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { apiPath } from '../../../typescript/src/http/api-path.ts'
import { follow } from '../../../typescript/src/watch/follow.ts'
import { watchedResources } from '../../../typescript/src/resources/watched-resources.ts'
import { pluralLabel } from '../app/nav-items.ts'
import { kindsQuery } from '../data/kinds.ts'
import { queryClient } from '../data/query-client.ts'
import { Badge } from '../design/badge.tsx'
import { EmptyState } from '../design/empty-state.tsx'
import { ErrorState } from '../design/error-state.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/skeleton.tsx'
import { type Column, Table } from '../design/table.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { useLive } from '../live/use-live.ts'
import { transport } from '../session/connection.ts'
import type { ListedResource } from './listed-resource.ts'

interface ListBody {
  readonly items: readonly ListedResource[]
  readonly total: number
  readonly resource_version: string
}

const COLUMNS: readonly Column<ListedResource>[] = [
  { id: 'name', label: 'Name', cell: ({ name }) => name },
  {
    id: 'ready',
    label: 'Ready',
    cell: ({ status }) => {
      const ready = status.conditions.find(({ type }) => type === 'Ready' || type === 'Reconciled')
      return ready?.status === 'True' ? (
        <Badge tone="good">Ready</Badge>
      ) : (
        <Badge tone="warn">{ready?.reason ?? 'Not ready'}</Badge>
      )
    },
  },
  { id: 'age', label: 'Age', cell: ({ created_time: time }) => <TimeAgo time={time} /> },
]

/** The resources of a kind. */
export function ListPage() {
  const { plural } = useParams({ from: '/resources/$plural' })
  const navigate = useNavigate()
  const { data: kinds } = useQuery(kindsQuery)
  const kind = kinds?.find((one) => one.plural === plural)?.kind ?? plural
  const key = ['resources', plural]
  const list = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const query = { pageSize: 100 }
      const request = {
        method: 'GET',
        path: apiPath(plural),
        query,
        signal,
        retry: 'always',
      } as const
      return (await transport.request<ListBody>(request)).body
    },
  })
  const version = list.data?.resource_version
  useLive<ListedResource>(
    version === undefined
      ? null
      : {
          key: plural,
          from: version,
          open: (start) =>
            follow(
              transport,
              watchedResources<ListedResource>(apiPath(plural), {}, start.signal),
              start,
            ),
          onBatch: () => void queryClient.invalidateQueries({ queryKey: key }),
        },
  )
  return (
    <Page title={pluralLabel(kind, plural)} flush>
      {list.isPending && <Skeleton />}
      {list.isError && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.data?.items.length === 0 && (
        <EmptyState
          icon="cluster"
          title="Nothing here yet"
          command="npx flotilla create cluster my-cluster"
        >
          Resources appear here as soon as they are created.
        </EmptyState>
      )}
      {list.data && list.data.items.length > 0 && (
        <Table
          label={plural}
          columns={COLUMNS}
          rows={list.data.items}
          keyOf={({ id }) => id}
          onOpen={({ id }) =>
            void navigate({ to: '/resources/$plural/$id', params: { plural, id } })
          }
        />
      )}
    </Page>
  )
}
