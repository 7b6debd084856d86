import { useInfiniteQuery } from '@tanstack/react-query'
import { ErrorState } from '../../design/states/error-state.tsx'
import { Panel } from '../../design/panel.tsx'
import { Skeleton } from '../../design/states/skeleton.tsx'
import { changesQuery } from '../data/resource-query.ts'
import { ChangeItem } from './change-item.tsx'
import { changeText } from './change-text.ts'
import css from './changes.module.css'
import { OlderHistory } from './older-history.tsx'
import { ShowMore } from './show-more.tsx'

interface ChangesPanelProps {
  readonly plural: string
  readonly id: string
}

/** Who changed what and when, newest first. The history continues where the log ends. */
export function ChangesPanel({ plural, id }: ChangesPanelProps) {
  const query = useInfiniteQuery(changesQuery(plural, id))
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const changes = data?.pages.flatMap(({ items }) => items)
  const isComplete = data?.pages.at(-1)?.complete ?? true
  return (
    <Panel title="Changes">
      {changes === undefined ? (
        error === null ? (
          <Skeleton lines={5} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <ol className={css['changes']}>
            {changes.map((change) => (
              <ChangeItem key={change.resource_version} change={change} text={changeText(change)} />
            ))}
          </ol>
          {hasNextPage && (
            <ShowMore isLoading={isFetchingNextPage} onShow={() => void fetchNextPage()}>
              Show older changes
            </ShowMore>
          )}
          {!hasNextPage && !isComplete && (
            <OlderHistory plural={plural} id={id} before={changes.at(-1)?.time ?? NEVER} />
          )}
        </>
      )}
    </Panel>
  )
}

/** Without changes in the log, the history is shown from its end. */
const NEVER = '9999-12-31T00:00:00Z'
