import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { KindDescription } from '../../../typescript/src/generated/hyperfleet.ts'
import { HYPERFLEET, useAccess } from '../access/use-access.ts'
import { pluralLabel } from '../app/nav-items.ts'
import { kindsQuery } from '../data/kinds.ts'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { EmptyState } from '../design/states/empty-state.tsx'
import { ErrorState } from '../design/states/error-state.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { Table } from '../design/table/table.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { adapterColumns } from './adapter-columns.tsx'
import { AdapterSeries } from './adapter-series.tsx'
import css from './adapters.module.css'
import { adaptersQuery } from './adapters-query.ts'
import { StateMatrix } from './state-matrix.tsx'

/** The adapters of a kind: which is silent since when, what fails, and how much work waits. */
export function AdaptersPage() {
  const { kind: chosen } = useSearch({ from: '/adapters' })
  const { data: kinds } = useQuery(kindsQuery)
  const access = useAccess()
  const shown = (kinds ?? []).filter(
    ({ plural, has_statuses: hasStatuses }) =>
      hasStatuses && access({ verb: 'list', group: HYPERFLEET, resource: plural }) === null,
  )
  const kind = shown.find(({ plural }) => plural === chosen) ?? shown[0]
  return (
    <Page
      title="Adapters"
      actions={shown.length > 1 && kind && <KindPicker kinds={shown} kind={kind} />}
    >
      {kinds === undefined && <Skeleton lines={9} />}
      {kind && <Content key={kind.kind} kind={kind} />}
      {kinds !== undefined && kind === undefined && (
        <EmptyState icon="adapter" title="You may not list any kind with adapters">
          Ask for a role that lists a kind, such as `hyperfleet-reader`.
        </EmptyState>
      )}
    </Page>
  )
}

interface PickerProps {
  readonly kinds: readonly KindDescription[]
  readonly kind: KindDescription
}

function KindPicker({ kinds, kind }: PickerProps) {
  const navigate = useNavigate()
  return (
    <select
      aria-label="Kind"
      className={css['picker']}
      value={kind.plural}
      onChange={({ target: { value } }) =>
        void navigate({ to: '/adapters', search: { kind: value }, replace: true })
      }
    >
      {kinds.map(({ kind: name, plural }) => (
        <option key={plural} value={plural}>
          {pluralLabel(name, plural)}
        </option>
      ))}
    </select>
  )
}

function Content({ kind }: { readonly kind: KindDescription }) {
  const { data, error, isPending, refetch } = useQuery(adaptersQuery(kind.kind))
  const columns = useMemo(() => adapterColumns(kind.plural), [kind.plural])
  if (isPending) return <Skeleton lines={9} />
  if (data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  const label = pluralLabel(kind.kind, kind.plural)
  if (data.items.length === 0) {
    return (
      <EmptyState icon="adapter" title={`No adapter reports on ${label.toLowerCase()}`}>
        Adapters that the kind requires, and those that report, appear here with their last report.
      </EmptyState>
    )
  }
  return (
    <div className={css['content']}>
      <Panel
        title={`Adapters of ${label.toLowerCase()}`}
        note={
          <>
            counted <TimeAgo time={data.time} suffix=" ago" />
          </>
        }
      >
        <Table
          label={`Adapters of ${label.toLowerCase()}`}
          columns={columns}
          rows={data.items}
          keyOf={({ adapter }) => adapter}
        />
        {!data.complete && (
          <p className={css['note']}>
            There are so many reasons or resources that the counts are estimates, or some are not
            shown.
          </p>
        )}
      </Panel>
      <AdapterSeries kind={kind} adapters={data.items.map(({ adapter }) => adapter)} />
      <StateMatrix kind={kind} adapters={data.items} />
    </div>
  )
}
