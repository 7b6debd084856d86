import { Link } from '@tanstack/react-router'
import type { KeyboardEvent } from 'react'
import type {
  KindDescription,
  ResourceChange,
} from '../../../typescript/src/generated/hyperfleet.ts'
import { useHeld, useHold } from '../design/hooks/use-hold.ts'
import { Icon } from '../design/icon.tsx'
import { Panel } from '../design/panel.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { describeChange } from './describe-change.ts'
import css from './overview.module.css'

interface ChangeFeedProps {
  readonly changes: readonly ResourceChange[]
  readonly kinds: readonly KindDescription[]
}

/**
 * The last changes of all resources, the newest first. While someone uses the list, it stays as it is:
 * with many changes per second, each row is there for less than a second. It is one stop of Tab, and
 * the arrow keys move between its links.
 */
export function ChangeFeed({ changes, kinds }: ChangeFeedProps) {
  const { isHeld, handlers } = useHold()
  const shown = useHeld(changes, isHeld)
  return (
    <Panel title="Last changes" note={isHeld ? 'paused' : 'live'}>
      {shown.length === 0 && <p className={css['quiet']}>Changes appear here as they happen.</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys */}
      <ol
        className={css['feed']}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the feed scrolls
        tabIndex={0}
        aria-label="Last changes"
        onKeyDown={moveToLink}
        {...handlers}
      >
        {shown.map((change) => (
          <Entry
            key={`${change.resource_version} ${change.id} ${change.adapter ?? ''}`}
            change={change}
            plural={kinds.find(({ kind }) => kind === change.kind)?.plural}
          />
        ))}
      </ol>
    </Panel>
  )
}

function moveToLink(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const current = links.findIndex((link) => link === document.activeElement)
  const next = links[current + step]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

interface EntryProps {
  readonly change: ResourceChange
  readonly plural: string | undefined
}

function Entry({ change, plural }: EntryProps) {
  const { icon, tone, text } = describeChange(change)
  const { name, id, adapter, by, time } = change
  return (
    <li className={css['change']}>
      <span className={css['changeIcon']} data-tone={tone}>
        <Icon name={icon} size={13} />
      </span>
      <span className={css['changeText']}>
        {plural === undefined ? (
          name
        ) : (
          <Link
            to="/resources/$plural/$id"
            params={{ plural, id }}
            className={css['changeName'] ?? ''}
            tabIndex={-1}
          >
            {name}
          </Link>
        )}{' '}
        {text}
        {by !== '' && <span className={css['by']}> by {adapter ?? by}</span>}
      </span>
      <span className={css['itemTime']}>
        <TimeAgo time={time} />
      </span>
    </li>
  )
}
