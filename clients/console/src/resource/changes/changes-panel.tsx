import { useInfiniteQuery } from '@tanstack/react-query'
import type { ResourceChange } from '../../../../typescript/src/index.ts'
import { Button } from '../../design/button.tsx'
import { ErrorState } from '../../design/error-state.tsx'
import { Icon, type IconName } from '../../design/icon.tsx'
import { Panel } from '../../design/panel.tsx'
import { Skeleton } from '../../design/skeleton.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import { changesQuery } from '../data/resource-query.ts'
import { changeText } from './change-text.ts'
import css from './changes.module.css'

interface ChangesPanelProps {
  readonly plural: string
  readonly id: string
}

/** Who changed what and when, newest first. */
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
              <Change key={change.resource_version} change={change} />
            ))}
          </ol>
          {hasNextPage ? (
            <div className={css['more']}>
              <Button
                size="small"
                disabled={isFetchingNextPage}
                onClick={() => void fetchNextPage()}
              >
                {isFetchingNextPage ? 'Loading…' : 'Show older changes'}
              </Button>
            </div>
          ) : (
            !isComplete && (
              <p className={css['end']}>
                Older changes are no longer in the log. FEED_RETENTION sets how long it keeps them.
              </p>
            )
          )}
        </>
      )}
    </Panel>
  )
}

const ICONS: Readonly<Record<ResourceChange['type'], IconName>> = {
  created: 'plus',
  updated: 'edit',
  deleted: 'trash',
  removed: 'trash',
  reported: 'refresh',
}

function Change({ change }: { readonly change: ResourceChange }) {
  const { action, details } = changeText(change)
  return (
    <li className={css['change']}>
      <span className={css['icon']}>
        <Icon name={ICONS[change.type]} size={14} />
      </span>
      <div className={css['text']}>
        <p>
          <strong>{change.by === '' ? 'Someone' : change.by}</strong> {action}{' '}
          <span className={css['time']}>
            <TimeAgo time={change.time} suffix=" ago" />, generation {change.generation}
          </span>
        </p>
        {details.length > 0 && (
          <ul className={css['details']}>
            {details.map((detail) => (
              <li key={detail}>{detail}</li>
            ))}
          </ul>
        )}
      </div>
    </li>
  )
}
