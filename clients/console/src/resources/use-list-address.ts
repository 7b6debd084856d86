import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { GridSort } from './grid/grid-head.tsx'
import { storedColumns } from './list-preferences.ts'
import type { ListSearch } from './list-search.ts'

const ROUTE = '/resources/$plural'
const DEFAULT_SORT = 'created_time desc'

/** The list that the address describes, and functions that change the address. */
export function useListAddress() {
  const { plural } = useParams({ from: ROUTE })
  const { q = '', sort: order = DEFAULT_SORT, columns, view } = useSearch({ from: ROUTE })
  const navigate = useNavigate({ from: ROUTE })
  const change = useCallback(
    (next: Partial<ListSearch>) => {
      void navigate({ search: (last) => withoutDefaults({ ...last, ...next }), replace: true })
    },
    [navigate],
  )
  const onSearch = useCallback((text: string) => change({ q: text }), [change])
  const [field = '', direction] = order.split(' ')
  const sort: GridSort = {
    field,
    isDescending: direction === 'desc',
    onSort: (next, isDescending) => change({ sort: `${next} ${isDescending ? 'desc' : 'asc'}` }),
  }
  const choice = columns ?? storedColumns(plural)
  return { plural, search: q, order, sort, choice, view, onSearch, change }
}

/** Empty parameters and the default order do not appear in the address. */
function withoutDefaults({ q, sort, columns, view }: ListSearch): ListSearch {
  return {
    ...(q !== undefined && q !== '' && { q }),
    ...(sort !== undefined && sort !== DEFAULT_SORT && { sort }),
    ...(columns !== undefined && { columns }),
    ...(view !== undefined && { view }),
  }
}
