import { Link } from '@tanstack/react-router'
import { pluralLabel } from '../app/nav-items.ts'
import { useHeld, useHold } from '../design/hooks/use-hold.ts'
import { Panel } from '../design/panel.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { resourceState } from '../resources/resource-state.ts'
import type { CountedKind } from './counted-kind.ts'
import { StateBadge } from '../resources/state-badge.tsx'
import css from './overview.module.css'
import { AllNotReadyLink } from './all-not-ready-link.tsx'
import { useNotReady } from './use-not-ready.ts'

/** The resources of a kind that are not ready, and why. While someone uses the list, it stays as it is. */
export function NotReadyPanel({ kind, counts }: CountedKind) {
  const { plural } = kind
  const { data, isPending } = useNotReady(plural, counts.not_ready)
  const { isHeld, handlers } = useHold()
  const shown = useHeld(data, isHeld)
  const label = pluralLabel(kind.kind, plural)
  return (
    <Panel
      title={`${label} that are not ready`}
      note={isHeld ? 'paused' : undefined}
      actions={<AllNotReadyLink plural={plural} count={counts.not_ready} />}
    >
      {isPending && <Skeleton lines={5} />}
      <ul {...handlers}>
        {shown?.items.map((resource) => {
          const { reason } = resourceState(resource, kind)
          return (
            <li key={resource.id}>
              <Link
                to="/resources/$plural/$id"
                params={{ plural, id: resource.id }}
                className={css['item'] ?? ''}
              >
                <span className={css['itemName']}>{resource.name}</span>
                <StateBadge resource={resource} kind={kind} />
                <span className={css['itemReason']} title={reason}>
                  {reason}
                </span>
                <span className={css['itemTime']}>
                  <TimeAgo time={resource.updated_time} />
                </span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
