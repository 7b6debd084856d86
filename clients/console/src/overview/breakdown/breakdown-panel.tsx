import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import type { Breakdown, BreakdownRow } from '../../../../typescript/src/generated/hyperfleet.ts'
import { pluralLabel } from '../../app/nav-items.ts'
import { Button } from '../../design/button.tsx'
import { Panel } from '../../design/panel.tsx'
import { RequestError } from '../../design/states/request-error.tsx'
import { Skeleton } from '../../design/states/skeleton.tsx'
import { Table } from '../../design/table/table.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import type { CountedKind } from '../counted-kind.ts'
import { breakdownColumns } from './breakdown-columns.tsx'
import css from './breakdown.module.css'
import { GroupPicker } from './group-picker.tsx'
import { useBreakdown } from './use-breakdown.ts'

/** What keeps the resources of a kind from being ready: failing ones first, then waiting ones. */
export function BreakdownPanel(counted: CountedKind) {
  const { kind } = counted
  const { data, error, isPending } = useBreakdown(counted)
  return (
    <Panel
      title={`What broke: ${pluralLabel(kind.kind, kind.plural).toLowerCase()}`}
      note={
        data && (
          <span className={css['counted']}>
            counted <TimeAgo time={data.time} suffix=" ago" />
          </span>
        )
      }
      actions={
        <>
          <Link to="/adapters" search={{ kind: kind.plural }} className={css['adapters'] ?? ''}>
            Adapters
          </Link>
          <GroupPicker kind={kind} />
        </>
      }
    >
      {isPending && <Skeleton lines={5} />}
      {data === undefined && error !== null && <RequestError error={error} />}
      {data !== undefined && <Causes breakdown={data} {...counted} />}
    </Panel>
  )
}

const SHOWN = 6
const isFailing = ({ failing }: BreakdownRow) => failing > 0

function Causes({ breakdown, kind }: CountedKind & { readonly breakdown: Breakdown }) {
  const { items, by, failing, waiting, complete, other } = breakdown
  const label = pluralLabel(kind.kind, kind.plural)
  const field = by[2] ?? null
  const columns = useMemo(
    () => breakdownColumns({ plural: kind.plural, label, field }),
    [kind.plural, label, field],
  )
  const shared = { columns, label }
  return (
    <div className={css['causes']} data-grouped={field !== null || undefined}>
      <Section {...shared} state="Failing" count={failing} rows={items.filter(isFailing)} />
      <Section
        {...shared}
        state="Waiting"
        count={waiting}
        rows={items.filter((row) => !isFailing(row))}
      />
      {!complete && (
        <p className={css['note']}>
          So many are not ready that the rows are estimates from a sample.
        </p>
      )}
      {other.rows > 0 && (
        <p className={css['note']}>
          {other.rows.toLocaleString('en')} smaller groups have {other.count.toLocaleString('en')}{' '}
          more.
        </p>
      )}
    </div>
  )
}

interface SectionProps {
  readonly state: 'Failing' | 'Waiting'
  readonly count: number
  readonly rows: readonly BreakdownRow[]
  readonly columns: ReturnType<typeof breakdownColumns>
  readonly label: string
}

const EXPLANATIONS = {
  Failing: 'an adapter reports a failure of the current spec',
  Waiting: 'reports are missing or older than the spec',
}

function Section({ state, count, rows, columns, label }: SectionProps) {
  const [isOpen, setOpen] = useState(false)
  const shown = isOpen ? rows : rows.slice(0, SHOWN)
  if (count === 0 && rows.length === 0) return null
  return (
    <section>
      <h3 className={css['state']} data-state={state}>
        <b>{count.toLocaleString('en')}</b> {state.toLowerCase()}
        <span>{EXPLANATIONS[state]}</span>
      </h3>
      <Table
        label={`${label}: ${state.toLowerCase()}`}
        columns={columns}
        rows={shown}
        keyOf={({ values }) => JSON.stringify(values)}
      />
      {rows.length > SHOWN && (
        <div className={css['more']}>
          <Button variant="ghost" size="small" onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show fewer' : `Show ${rows.length - SHOWN} more`}
          </Button>
        </div>
      )}
    </section>
  )
}
