import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useCallback, useMemo, useRef } from 'react'
import { kindIcon, pluralLabel } from '../app/nav-items.ts'
import { kindsQuery } from '../data/kinds.ts'
import { buttonClass } from '../design/button-class.ts'
import { ErrorState } from '../design/states/error-state.tsx'
import { Icon } from '../design/icon.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { toggleColumn, visibleColumns } from './column-choice.ts'
import { listColumns } from './grid/list-columns.tsx'
import { useColumnWidths } from './grid/use-column-widths.ts'
import { ResourceGrid } from './grid/resource-grid.tsx'
import { ListEmpty } from './list-empty.tsx'
import { storeColumns } from './list-preferences.ts'
import { ListToolbar } from './list-toolbar.tsx'
import type { ListedResource } from './listed-resource.ts'
import { useRowList } from './rows/use-row-list.ts'
import { SearchExamples } from './search/search-examples.tsx'
import { searchProblem } from './search/search-problem.ts'
import { useResourceAccess } from '../access/use-access.ts'
import { AllowedLink } from '../access/allowed-link.tsx'
import { useListAddress } from './use-list-address.ts'
import { ViewBadge } from '../views/view-badge.tsx'

/** The resources of a kind: search, columns, order, and rows that follow the server. */
export function ListPage() {
  const { plural, search, order, sort, choice, view, onSearch, change } = useListAddress()
  const navigate = useNavigate()
  const { data: kinds } = useQuery(kindsQuery)
  const kind = kinds?.find((one) => one.plural === plural)
  const title = pluralLabel(kind?.kind ?? plural, plural)
  const columns = useMemo(
    () => listColumns(kind ?? { plural, parent_kind: null, required_adapters: [] }),
    [kind, plural],
  )
  const visible = useMemo(() => visibleColumns(columns, choice), [columns, choice])
  const listed = { kind: { plural, parent_kind: kind?.parent_kind ?? null }, search }
  const { list, state, isLoading } = useRowList(listed, order)
  const onOpen = useCallback(
    ({ id }: ListedResource) => {
      void navigate({ to: '/resources/$plural/$id', params: { plural, id } })
    },
    [navigate, plural],
  )
  const input = useRef<HTMLInputElement>(null)
  const canCreate = kind?.verbs.includes('create') === true && kind.parent_kind === null
  const { widths, resize } = useColumnWidths(plural)
  const createDenied = useResourceAccess('create', plural)
  const onToggleColumn = (id: string) => {
    const next = toggleColumn(columns, choice, id)
    storeColumns(plural, next)
    change({ columns: next })
  }
  const hasRows = list.state().status === 'ready' && (isLoading || state.total > 0)
  const isRejected = searchProblem(state.error, search) !== null
  const shared = { plural, title, search, onSearch }
  return (
    <Page
      title={title}
      icon={kindIcon(plural)}
      fill
      flush
      status={view !== undefined && <ViewBadge name={view} />}
      actions={canCreate && <CreateLink plural={plural} />}
    >
      <ListToolbar
        key={plural}
        {...shared}
        {...{ kind, list, columns, visible, onToggleColumn }}
        address={{
          q: search,
          sort: order,
          ...(choice !== undefined && { columns: choice }),
          ...(view !== undefined && { view }),
        }}
        error={state.error}
        inputRef={input}
      />
      {state.status === 'failed' && isRejected && <SearchExamples onSearch={onSearch} />}
      {state.status === 'failed' && !isRejected && (
        <ErrorState error={state.error} onRetry={() => list.start()} />
      )}
      {list.state().status === 'loading' && <Skeleton lines={12} />}
      {state.status === 'ready' && state.total === 0 && (
        <ListEmpty {...shared} canCreate={canCreate && createDenied === null} />
      )}
      {hasRows && (
        <ResourceGrid
          key={plural}
          label={title}
          {...{ list, sort, onOpen, widths }}
          content={`${order} ${search}`}
          onResize={resize}
          columns={visible}
        />
      )}
    </Page>
  )
}

function CreateLink({ plural }: { readonly plural: string }) {
  const denied = useResourceAccess('create', plural)
  const label = (
    <>
      <Icon name="plus" />
      Create
    </>
  )
  const look = { variant: 'primary' } as const
  return (
    <AllowedLink denied={denied} look={look} label={label}>
      <Link to="/resources/$plural/new" params={{ plural }} className={buttonClass(look)}>
        {label}
      </Link>
    </AllowedLink>
  )
}
