import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Breakdown } from '../../../../typescript/src/generated/hyperfleet.ts'
import { client } from '../../session/connection.ts'
import type { CountedKind } from '../counted-kind.ts'

const CAUSE = ['adapter', 'reason']
const ROWS = 50
/** The server shares its answers, and repeats them for longer if they are expensive. */
const REFRESH_MS = 30_000
const REFRESH_CHANGED_MS = 5000

/** The resources of a kind that are not ready by adapter, reason and the field in the address. */
export function useBreakdown({ kind: { kind, plural }, counts }: CountedKind) {
  const { by } = useSearch({ from: '/' })
  const field = by?.[plural]
  return useQuery<Breakdown>({
    queryKey: ['breakdown', kind, field],
    enabled: counts.not_ready > 0,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.not_ready === counts.not_ready ? REFRESH_MS : REFRESH_CHANGED_MS,
    queryFn: ({ signal }) => {
      const fields = field === undefined ? CAUSE : [...CAUSE, field]
      return client.breakdown({ kind, by: fields, limit: ROWS, signal })
    },
  })
}
