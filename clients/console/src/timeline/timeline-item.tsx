import { Link } from '@tanstack/react-router'
import { Badge } from '../design/badge.tsx'
import { Icon } from '../design/icon.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import type { Tone } from '../design/tone.ts'
import type { Outcome, Subject, TimelineEntry, TimelineLog } from './timeline-entry.ts'
import css from './timeline.module.css'

const LOGS: Readonly<Record<TimelineLog, string>> = {
  change: 'Change',
  event: 'Event',
  audit: 'Audit',
}
const TONES: Readonly<Record<Outcome, Tone>> = {
  succeeded: 'good',
  denied: 'bad',
  failed: 'bad',
  unknown: 'warn',
  lost: 'warn',
}

/** One entry: who, what and when, with the outcome of a request and the changed values. */
export function TimelineItem({ entry }: { readonly entry: TimelineEntry }) {
  const { log, icon, who, action, subject, note, time, details, outcome } = entry
  return (
    <li className={css['entry']}>
      <span className={css['icon']}>
        <Icon name={icon} size={14} />
      </span>
      <div className={css['text']}>
        <p>
          {outcome !== 'lost' && <strong>{who === '' ? 'Someone' : who}</strong>} {action}{' '}
          {subject !== null && <SubjectLink subject={subject} />}{' '}
          <span className={css['time']}>
            <TimeAgo time={time} suffix=" ago" />
            {note !== '' && `, ${note}`}
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
      <div className={css['marks']}>
        {outcome !== null && outcome !== 'succeeded' && (
          <Badge tone={TONES[outcome]}>{outcome}</Badge>
        )}
        <span className={css['log']}>{LOGS[log]}</span>
      </div>
    </li>
  )
}

function SubjectLink({ subject: { label, to } }: { readonly subject: Subject }) {
  if (to === null) return label
  return (
    <Link to={to} className={css['subject'] ?? ''}>
      {label}
    </Link>
  )
}
