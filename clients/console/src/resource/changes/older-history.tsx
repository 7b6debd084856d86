import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorState } from '../../design/states/error-state.tsx'
import { historyQuery } from '../data/resource-query.ts'
import { ChangeItem } from './change-item.tsx'
import { historyText } from './change-text.ts'
import css from './changes.module.css'
import { ShowMore } from './show-more.tsx'

interface OlderHistoryProps {
  readonly plural: string
  readonly id: string
  /** The time of the oldest change that the log still has. */
  readonly before: string
}

/** The history of a resource before the log of its changes, when the user wants to see it. */
export function OlderHistory({ plural, id, before }: OlderHistoryProps) {
  const [start, setStart] = useState<string | null>(null)
  const query = useInfiniteQuery({
    ...historyQuery(plural, id, start ?? before),
    enabled: start !== null,
  })
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query
  const entries = data?.pages.flatMap(({ items }) => items) ?? []
  if (start === null) {
    return (
      <ShowMore isLoading={false} onShow={() => setStart(before)}>
        Show the history
      </ShowMore>
    )
  }
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  const isCut = data?.pages.at(-1)?.complete === false
  return (
    <>
      <ol className={`${css['changes']} ${css['older']}`}>
        {entries.map((entry, index) => (
          <ChangeItem
            // oxlint-disable-next-line react/no-array-index-key -- entries are only appended
            key={index}
            change={entry}
            text={historyText(entry)}
          />
        ))}
      </ol>
      {(isFetching || hasNextPage) && (
        <ShowMore isLoading={isFetching} onShow={() => void fetchNextPage()}>
          Show older entries
        </ShowMore>
      )}
      {!isFetching && !hasNextPage && isCut && (
        <p className={css['end']}>
          Older entries have been dropped. HISTORY_RETENTION sets how long they are kept.
        </p>
      )}
    </>
  )
}
