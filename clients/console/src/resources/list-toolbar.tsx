import { type RefObject, useSyncExternalStore } from 'react'
import type { KindDescription } from '../../../typescript/src/generated/hyperfleet.ts'
import { CheckMenu } from '../design/overlays/check-menu.tsx'
import type { ListColumn } from './grid/list-columns.tsx'
import type { ListSearch } from './list-search.ts'
import type { ListedResource } from './listed-resource.ts'
import css from './list-toolbar.module.css'
import { quickFilters } from './quick-filters.ts'
import type { RowList } from './rows/row-list.ts'
import { SavedSearchesMenu } from './saved-searches-menu.tsx'
import { SearchField } from './search/search-field.tsx'
import { searchProblem } from './search/search-problem.ts'
import { hasClause, toggleClause } from './search/toggle-clause.ts'

interface ListToolbarProps {
  readonly title: string
  readonly plural: string
  readonly kind: KindDescription | undefined
  readonly list: RowList<ListedResource>
  readonly error: unknown
  readonly search: string
  /** The list as its address describes it. */
  readonly address: ListSearch
  readonly onSearch: (search: string) => void
  readonly columns: readonly ListColumn[]
  readonly visible: readonly ListColumn[]
  readonly onToggleColumn: (id: string) => void
  readonly inputRef: RefObject<HTMLInputElement | null>
}

/** Search, filters, columns and the number of results above a list. */
export function ListToolbar(props: ListToolbarProps) {
  const { title, plural, kind, search, onSearch, columns, visible, inputRef } = props
  return (
    <div className={css['toolbar']} role="search" aria-label={title}>
      <div className={css['line']}>
        <SearchField
          label={`Search ${title.toLowerCase()}`}
          kind={kind}
          search={search}
          problem={searchProblem(props.error, search)}
          onSearch={onSearch}
          inputRef={inputRef}
        />
        <SavedSearchesMenu
          {...{ plural, search, onSearch }}
          kind={kind?.kind}
          list={props.address}
        />
        <CheckMenu
          label="Columns"
          icon="columns"
          options={columns}
          checked={new Set(visible.map(({ id }) => id))}
          onToggle={props.onToggleColumn}
        />
      </div>
      <div className={css['chips']}>
        {quickFilters(kind).map(({ label, clause }) => (
          <button
            key={label}
            type="button"
            className={css['chip']}
            aria-pressed={hasClause(search, clause)}
            onClick={() => onSearch(toggleClause(search, clause))}
          >
            {label}
          </button>
        ))}
        <Count list={props.list} />
      </div>
    </div>
  )
}

function Count({ list }: { readonly list: RowList<ListedResource> }) {
  const { total, isEstimate, unseen, status } = useSyncExternalStore(list.subscribe, list.state)
  if (status !== 'ready') return null
  return (
    <>
      <span className={css['count']}>
        {isEstimate ? 'about ' : ''}
        {total.toLocaleString('en')} {total === 1 ? 'result' : 'results'}
      </span>
      {unseen > 0 && (
        <button type="button" className={css['unseen']} onClick={() => void list.refresh()}>
          {unseen.toLocaleString('en')} new
        </button>
      )}
    </>
  )
}
