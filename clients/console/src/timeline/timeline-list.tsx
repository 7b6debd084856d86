import type { Hold } from '../design/hooks/use-hold.ts'
import { ErrorState } from '../design/states/error-state.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { mergeTimeline } from './merge-timeline.ts'
import { ShowMore } from './show-more.tsx'
import { TimelineItem } from './timeline-item.tsx'
import type { TimelineSource } from './timeline-source.ts'
import css from './timeline.module.css'

interface TimelineListProps {
  readonly sources: readonly TimelineSource[]
  /** Hold a source while someone uses the list. */
  readonly handlers?: Hold['handlers']
}

/** Several logs as one, newest first. A log that loads, fails or is hidden does not hide the others. */
export function TimelineList({ sources, handlers }: TimelineListProps) {
  const { entries, next } = mergeTimeline(sources)
  const pending = sources.filter(({ isPending }) => isPending)
  const failed = sources.filter(({ error }) => error !== null)
  const isEmpty = entries.length === 0 && next.length === 0
  const isLoading = next.some((index) => sources[index]?.isLoadingMore === true)
  return (
    <>
      <Notes texts={sources.map(({ hidden }) => hidden)} />
      <Notes texts={pending.map(({ name }) => `${name}: loading…`)} />
      {failed.map(({ name, error, retry }) => (
        <section key={name} aria-label={name}>
          <p className={css['note']}>{name}: the last request failed.</p>
          <ErrorState error={error} onRetry={retry} />
        </section>
      ))}
      {isEmpty && pending.length > 0 && <Skeleton lines={5} />}
      {isEmpty && pending.length === 0 && failed.length === 0 && (
        <p className={css['note']}>There are no entries.</p>
      )}
      <ol className={css['entries']} {...handlers}>
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
