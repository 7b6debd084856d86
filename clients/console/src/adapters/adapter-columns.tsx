import { Link } from '@tanstack/react-router'
import type { AdapterSummary } from '../../../typescript/src/generated/hyperfleet.ts'
import { Badge } from '../design/badge.tsx'
import type { Column } from '../design/table/table.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import css from './adapters.module.css'

/** The columns of adapters: who is silent, what fails, and the work that waits. */
export function adapterColumns(plural: string): readonly Column<AdapterSummary>[] {
  return [
    { id: 'adapter', label: 'Adapter', sortValue: ({ adapter }) => adapter, cell: Name },
    { id: 'state', label: 'State', cell: (one) => <State plural={plural} adapter={one} /> },
    {
      id: 'report',
      label: 'Last report',
      isNumber: true,
      sortValue: ({ last_report_time: time }) => time ?? '',
      cell: ({ last_report_time: time }) =>
        time === null ? <span className={css['none']}>none</span> : <TimeAgo time={time} />,
    },
    {
      id: 'rate',
      label: 'Reports/s',
      isNumber: true,
      sortValue: ({ reports_per_second: rate }) => rate,
      cell: ({ reports_per_second: rate }) => rate.toFixed(rate < 10 ? 2 : 0),
    },
    {
      id: 'reasons',
      label: 'Reasons',
      cell: (one) => <Reasons plural={plural} adapter={one} />,
    },
    {
      id: 'behind',
      label: 'Behind',
      isNumber: true,
      sortValue: ({ generations_behind: behind }) => behind,
      cell: ({ generations_behind: behind }) => (behind === 0 ? '' : generations(behind)),
    },
    {
      id: 'backlog',
      label: 'Backlog',
      isNumber: true,
      sortValue: ({ queue }) => queue?.queued ?? 0,
      cell: ({ queue }) => queue && count(queue.queued + queue.delayed),
    },
    {
      id: 'leases',
      label: 'Leases',
      isNumber: true,
      sortValue: ({ queue }) => queue?.leased ?? 0,
      cell: Leases,
    },
  ]
}

function Name({ adapter, required }: AdapterSummary) {
  return (
    <span className={css['name']}>
      <b>{adapter}</b>
      {!required && <span className={css['none']}>not required by the kind</span>}
    </span>
  )
}

interface CellProps {
  readonly plural: string
  readonly adapter: AdapterSummary
}

function State({ plural, adapter: one }: CellProps) {
  const { silent_since: silent, failing, waiting, search } = one
  const badge = silent ? (
    <Badge tone="bad" icon="clock">
      Silent for <TimeAgo time={silent} />
    </Badge>
  ) : failing > 0 ? (
    <Badge tone="bad">
      {count(failing)} failing{waiting > 0 && `, ${count(waiting)} waiting`}
    </Badge>
  ) : waiting > 0 ? (
    <Badge tone="warn">{count(waiting)} waiting</Badge>
  ) : (
    <Badge tone="good">Current</Badge>
  )
  if (search === null) return badge
  return (
    <Link to="/resources/$plural" params={{ plural }} search={{ q: search }}>
      {badge}
    </Link>
  )
}

const SHOWN = 4

/** The reasons as links to their resources. */
function Reasons({ plural, adapter: { reasons } }: CellProps) {
  if (reasons.length === 0) return null
  return (
    <ul className={css['reasons']}>
      {reasons.slice(0, SHOWN).map(({ reason, state, count: affected, oldest, search }) => (
        <li key={`${state} ${reason}`}>
          <Link
            to="/resources/$plural"
            params={{ plural }}
            search={search === null ? {} : { q: search }}
          >
            {count(affected)} {reason}
          </Link>{' '}
          <span className={css['none']}>
            <TimeAgo time={oldest} />
          </span>
        </li>
      ))}
      {reasons.length > SHOWN && (
        <li className={css['none']}>{count(reasons.length - SHOWN)} more</li>
      )}
    </ul>
  )
}

function Leases({ queue }: AdapterSummary) {
  if (queue === null) return null
  const { leased, oldest_lease_time: oldest } = queue
  return (
    <span>
      {count(leased)}
      {oldest !== null && (
        <span className={css['none']}>
          {' '}
          <TimeAgo time={oldest} />
        </span>
      )}
    </span>
  )
}

const count = (value: number) => value.toLocaleString('en')

const generations = (behind: number) => (behind === 1 ? '1 generation' : `${behind} generations`)
