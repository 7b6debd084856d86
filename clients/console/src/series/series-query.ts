import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { SeriesList } from '../../../typescript/src/generated/hyperfleet.ts'
import { client } from '../session/connection.ts'

/** The servers record each minute. */
const REFRESH_MS = 30_000

export type Range = SeriesList['range']

/** The series of all kinds, or of one with its adapters. */
export function seriesQuery(range: Range, kind?: string) {
  return queryOptions({
    queryKey: ['series', kind, range],
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) => client.series({ kind, range, signal }),
  })
}
