import { Link } from '@tanstack/react-router'
import type {
  BreakdownRow,
  PrecedingChange,
} from '../../../../typescript/src/generated/hyperfleet.ts'
import { Badge } from '../../design/badge.tsx'
import type { Column } from '../../design/table/table.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import css from './breakdown.module.css'

interface Shape {
  readonly plural: string
  /** The name of the resources in the plural. */
  readonly label: string
  /** The field that groups besides adapter and reason; null without one. */
  readonly field: string | null
}

/** The columns of a breakdown: the cause, how many resources it affects, and since when. */
export function breakdownColumns({ plural, label, field }: Shape): readonly Column<BreakdownRow>[] {
  const group: Column<BreakdownRow> = {
    id: 'group',
    label: field ?? '',
    sortValue: ({ values }) => values[field ?? ''] ?? '',
    cell: ({ values }) => values[field ?? ''] ?? <span className={css['none']}>none</span>,
  }
  return [
    { id: 'cause', label: 'Cause', cell: (row) => <Cause plural={plural} row={row} /> },
    ...(field === null ? [] : [group]),
    { id: 'count', label, isNumber: true, sortValue: ({ count }) => count, cell: countOf },
    { id: 'share', label: 'Share', sortValue: ({ share }) => share ?? 0, cell: Share },
    {
      id: 'hour',
      label: 'Last hour',
      isNumber: true,
      sortValue: ({ last_hour: hour }) => hour,
      cell: ({ last_hour: hour }) => added(hour),
    },
    {
      id: 'day',
      label: 'Last day',
      isNumber: true,
      sortValue: ({ last_day: day }) => day,
      cell: ({ last_day: day }) => added(day),
    },
    {
      id: 'oldest',
      label: 'Oldest',
      isNumber: true,
      sortValue: ({ oldest }) => oldest,
      cell: ({ oldest }) => <TimeAgo time={oldest} />,
    },
    {
      id: 'change',
      label: 'Change before',
      cell: ({ change }) => (change === null ? null : <Change plural={plural} change={change} />),
    },
  ]
}

/** The adapter and the reason, as a link to the resources. The link covers the row. */
function Cause({ plural, row }: { readonly plural: string; readonly row: BreakdownRow }) {
  const { values, failing, search } = row
  const { adapter, reason } = values
  return (
    <Link
      to="/resources/$plural"
      params={{ plural }}
      search={search === null ? {} : { q: search }}
      className={css['cause'] ?? ''}
    >
      <b>{adapter ?? 'no adapter'}</b>
      <Badge tone={failing > 0 ? 'bad' : 'warn'}>{reason ?? 'Not explained'}</Badge>
    </Link>
  )
}

function Share({ share, total, count }: BreakdownRow) {
  if (share === null || total === null) return <span className={css['none']}>unknown</span>
  const text = `${count.toLocaleString('en')} of ${total.toLocaleString('en')}`
  return (
    <span className={css['share']} title={text}>
      <span className={css['bar']} aria-hidden="true">
        <span style={{ width: `${share * 100}%` }} />
      </span>
      {percent(share)}
    </span>
  )
}

function percent(share: number): string {
  if (share > 0 && share < 0.001) return '<0.1 %'
  return `${(share * 100).toFixed(share < 0.1 ? 1 : 0)} %`
}

interface ChangeProps {
  readonly plural: string
  readonly change: PrecedingChange
}

/** The last change of the newest resource before it was not ready. */
function Change({ plural, change }: ChangeProps) {
  const { id, name, time, type, by, paths } = change
  const text = `${paths.length > 0 ? paths.join(', ') : type} by ${by}`
  return (
    <Link
      to="/resources/$plural/$id"
      params={{ plural, id }}
      className={css['change'] ?? ''}
      title={`${name}: ${text}, ${new Date(time).toLocaleString()}`}
    >
      {text}
    </Link>
  )
}

const countOf = ({ count }: BreakdownRow) => count.toLocaleString('en')

const added = (count: number) => (count === 0 ? '' : `+${count.toLocaleString('en')}`)
