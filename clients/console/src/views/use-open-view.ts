import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { View } from '../../../typescript/src/generated/hyperfleet.ts'
import { listSearchOf } from './view.ts'
import { openedViewQuery } from './views-query.ts'

/** Opens the list of a view, and records the version that the list is based on. */
export function useOpenView() {
  const queries = useQueryClient()
  const navigate = useNavigate()
  return (view: View, plural: string, { replace = false } = {}) => {
    queries.setQueryData(openedViewQuery(view.name).queryKey, view)
    void navigate({
      to: '/resources/$plural',
      params: { plural },
      search: listSearchOf(view),
      replace,
    })
  }
}
