import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo, useRef } from 'react'
import { pluralLabel } from '../app/nav-items.ts'
import { kindsQuery } from '../data/kinds.ts'
import { buttonClass } from '../design/button-class.ts'
import { ErrorState } from '../design/error-state.tsx'
import { Icon } from '../design/icon.tsx'
import { Page } from '../design/page.tsx'
import { Skeleton } from '../design/skeleton.tsx'
import { toggleColumn, visibleColumns } from './column-choice.ts'
import { listColumns } from './grid/list-columns.tsx'
import { ResourceGrid } from './grid/resource-grid.tsx'
import { ListEmpty } from './list-empty.tsx'
import { storeColumns, storedColumns } from './list-preferences.ts'
import type { ListSearch } from './list-search.ts'
import { ListToolbar } from './list-toolbar.tsx'
import type { ListedResource } from './listed-resource.ts'
import { useRowList } from './rows/use-row-list.ts'
import { searchProblem } from './search/search-problem.ts'
import { useSlashKey } from './use-slash-key.ts'

const ROUTE = '/resources/$plural'
const DEFAULT_SORT = 'created_time desc'

/** The resources of a kind: search, columns, order, and rows that follow the server. */
export function ListPage() {
  const { plural } = useParams({ from: ROUTE })
  const search = useSearch({ from: ROUTE })
  const { q = '', sort: order = DEFAULT_SORT } = search
  const navigate = useNavigate({ from: ROUTE })
  const { data: kinds } = useQuery(kindsQuery)
  const kind = kinds?.find((one) => one.plural === plural)
  const title = pluralLabel(kind?.kind ?? plural, plural)
  const columns = useMemo(
    () => listColumns(kind ?? { plural, parent_kind: null, required_adapters: [] }),
    [kind, plural],
  )
  const choice = search.columns ?? storedColumns(plural)
  const visible = useMemo(() => visibleColumns(columns, choice), [columns, choice])
  const listed = { kind: { plural, parent_kind: kind?.parent_kind ?? null }, search: q }
  const { list, state, isLoading } = useRowList(listed, order)
  const change = useCallback(
    (next: Partial<ListSearch>) => {
      void navigate({ search: (last) => withoutDefaults({ ...last, ...next }), replace: true })
    },
    [navigate],
  )
  const onSearch = useCallback((text: string) => change({ q: text }), [change])
  const onOpen = useCallback(
    ({ id }: ListedResource) => {
      void navigate({ to: '/resources/$plural/$id', params: { plural, id } })
    },
    [navigate, plural],
  )
  const input = useRef<HTMLInputElement>(null)
  useSlashKey(input)
  const [field = '', direction] = order.split(' ')
  const sort = {
    field,
    isDescending: direction === 'desc',
    onSort: (next: string, isDescending: boolean) =>
      change({ sort: `${next} ${isDescending ? 'desc' : 'asc'}` }),
  }
  const canCreate = kind?.verbs.includes('create') === true && kind.parent_kind === null
  const toggle = (id: string) => {
    const next = toggleColumn(columns, choice, id)
    storeColumns(plural, next)
    change({ columns: next })
  }
  return (
    <Page
      title={title}
      fill
      flush
      actions={
        canCreate && (
          <Link
            to="/resources/$plural/new"
            params={{ plural }}
            className={buttonClass({ variant: 'primary' })}
          >
            <Icon name="plus" />
            Create
          </Link>
        )
      }
    >
      <ListToolbar
        key={plural}
        title={title}
        plural={plural}
        kind={kind}
        list={list}
        error={state.error}
        search={q}
        onSearch={onSearch}
        columns={columns}
        visible={visible}
        onToggleColumn={toggle}
        inputRef={input}
      />
      {state.status === 'failed' && searchProblem(state.error, q) === null && (
        <ErrorState error={state.error} onRetry={() => list.start()} />
      )}
      {list.state().status === 'loading' && <Skeleton lines={12} />}
      {state.status === 'ready' && state.total === 0 && (
        <ListEmpty
          plural={plural}
          title={title}
          search={q}
          canCreate={canCreate}
          onClear={() => onSearch('')}
        />
      )}
      {list.state().status === 'ready' && (isLoading || state.total > 0) && (
        <ResourceGrid
          key={`${plural} ${order} ${q}`}
          label={title}
          list={list}
          columns={visible}
          sort={sort}
          onOpen={onOpen}
        />
      )}
    </Page>
  )
}

/** Empty parameters and the default order do not appear in the address. */
function withoutDefaults({ q, sort, columns }: ListSearch): ListSearch {
  return {
    ...(q !== undefined && q !== '' && { q }),
    ...(sort !== undefined && sort !== DEFAULT_SORT && { sort }),
    ...(columns !== undefined && { columns }),
  }
}
