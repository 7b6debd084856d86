import { useQuery } from '@tanstack/react-query'
import type { ListedResource } from '../resources/listed-resource.ts'
import { readResourcePage } from '../resources/rows/read-resource-page.ts'
import type { RowPage } from '../resources/rows/row-pages.ts'
import { NOT_READY } from './breakdown/state-search.ts'

const SHOWN = 8
/** The shortest time between two reads, however often the number changes. */
const REFRESH_MS = 5000

/** The resources of a kind that are not ready and changed last. Read again if their number changes. */
export function useNotReady(plural: string, count: number) {
  const listed = { kind: { plural, parent_kind: null }, search: NOT_READY }
  return useQuery<RowPage<ListedResource>>({
    queryKey: ['not-ready', plural],
    refetchInterval: ({ state }) => (state.data?.total === count ? false : REFRESH_MS),
    queryFn: ({ signal }) => readResourcePage(listed, 'updated_time desc', SHOWN)(0, null, signal),
  })
}
