import { RequestError } from '../design/states/request-error.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { mergeTimeline } from './merge-timeline.ts'
import { ShowMore } from './show-more.tsx'
import { TimelineItem } from './timeline-item.tsx'
import type { TimelineSource } from './timeline-source.ts'
import css from './timeline.module.css'

interface TimelineListProps {
  readonly sources: readonly TimelineSource[]
}

/** Several logs as one, newest first. A log that fails or is hidden does not hide the others. */
export function TimelineList({ sources }: TimelineListProps) {
  if (sources.some(({ isPending }) => isPending)) return <Skeleton lines={5} />
  const { entries, next } = mergeTimeline(sources)
  const errors = sources.map(({ error }) => error).filter((error) => error !== null)
  const isLoading = next.some((index) => sources[index]?.isLoadingMore === true)
  return (
    <>
      <Notes texts={sources.map(({ hidden }) => hidden)} />
      {errors.map((error) => (
        <RequestError key={error.message} error={error} />
      ))}
      {entries.length === 0 && next.length === 0 && (
        <p className={css['note']}>There are no entries.</p>
      )}
      <ol className={css['entries']}>
        {entries.map((entry) => (
          <TimelineItem key={entry.key} entry={entry} />
        ))}
      </ol>
      {next.length > 0 && (
        <ShowMore
          isLoading={isLoading}
          onShow={() => {
            for (const index of next) sources[index]?.loadMore()
          }}
        >
          Show older entries
        </ShowMore>
      )}
      {next.length === 0 && <Notes texts={sources.map(({ end }) => end)} />}
    </>
  )
}

function Notes({ texts }: { readonly texts: readonly (string | null)[] }) {
  const shown = new Set(texts.filter((text) => text !== null))
  return [...shown].map((text) => (
    <p key={text} className={css['note']}>
      {text}
    </p>
  ))
}
