import { Link } from '@tanstack/react-router'
import type {
  KindDescription,
  ResourceChange,
} from '../../../typescript/src/generated/hyperfleet.ts'
import { Icon } from '../design/icon.tsx'
import { Panel } from '../design/panel.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { describeChange } from './describe-change.ts'
import css from './overview.module.css'

interface ChangeFeedProps {
  readonly changes: readonly ResourceChange[]
  readonly kinds: readonly KindDescription[]
}

/** The last changes of all resources, the newest first. */
export function ChangeFeed({ changes, kinds }: ChangeFeedProps) {
  return (
    <Panel title="Last changes" note="live">
      {changes.length === 0 && <p className={css['quiet']}>Changes appear here as they happen.</p>}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the feed scrolls */}
      <ol className={css['feed']} tabIndex={0} aria-label="Last changes">
        {changes.map((change) => (
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
