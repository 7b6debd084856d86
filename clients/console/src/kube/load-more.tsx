import { Button } from '../design/button.tsx'
import css from './load-more.module.css'

interface LoadMoreProps {
  readonly list: {
    readonly items: readonly unknown[]
    readonly isComplete: boolean
    readonly canLoadMore: boolean
    readonly isLoadingMore: boolean
    readonly remaining: number
    readonly loadMore: () => void
  }
}

/** The end of a list: a button for the next page, or why there is none. */
export function LoadMore({ list }: LoadMoreProps) {
  const { items, isComplete, canLoadMore, isLoadingMore, remaining, loadMore } = list
  if (isComplete) return null
  const shown = `${items.length.toLocaleString()} shown, ${remaining.toLocaleString()} more`
  return (
    <div className={css['more']}>
      <span>{canLoadMore ? shown : `${shown}. Narrow the list to see them.`}</span>
      {canLoadMore && (
        <Button onClick={loadMore} disabled={isLoadingMore}>
          {isLoadingMore ? 'Loading…' : 'Load more'}
        </Button>
      )}
    </div>
  )
}
