import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type {
  AdapterSummary,
  KindDescription,
} from '../../../typescript/src/generated/hyperfleet.ts'
import { pluralLabel } from '../app/nav-items.ts'
import { Badge } from '../design/badge.tsx'
import { Panel } from '../design/panel.tsx'
import { type Column, Table } from '../design/table/table.tsx'
import { AllNotReadyLink } from '../overview/all-not-ready-link.tsx'
import { NOT_READY } from '../overview/breakdown/state-search.ts'
import { STATE_LOOKS } from '../resource/adapters/adapter-row.ts'
import type { ListedResource } from '../resources/listed-resource.ts'
import { readResourcePage } from '../resources/rows/read-resource-page.ts'
import type { RowPage } from '../resources/rows/row-pages.ts'
import css from './adapters.module.css'
import { cellState } from './cell-state.ts'

const SHOWN = 25
const MAX_ADAPTERS = 12
const REFRESH_MS = 10_000

interface MatrixProps {
  readonly kind: KindDescription
  readonly adapters: readonly AdapterSummary[]
}

/** The state of each adapter on the resources that are not ready and changed last. */
export function StateMatrix({ kind, adapters }: MatrixProps) {
  const { plural } = kind
  const label = pluralLabel(kind.kind, plural)
  const { data } = useQuery<RowPage<ListedResource>>({
    queryKey: ['adapter-matrix', plural],
    refetchInterval: REFRESH_MS,
    queryFn: ({ signal }) =>
      readResourcePage({ kind, search: NOT_READY }, 'updated_time desc', SHOWN)(0, null, signal),
  })
  const names = adapters.map(({ adapter }) => adapter).join(' ')
  const columns = useMemo(() => matrixColumns(kind, names.split(' ')), [kind, names])
  if (data === undefined || data.items.length === 0) return null
  return (
    <Panel
      title={`${label} that are not ready`}
      note={`${data.items.length} that changed last`}
      actions={<AllNotReadyLink plural={plural} count={data.total} />}
    >
      <Table
        label={`${label} by adapter`}
        columns={columns}
        rows={data.items}
        keyOf={({ id }) => id}
      />
    </Panel>
  )
}

function matrixColumns(
  kind: KindDescription,
  adapters: readonly string[],
): readonly Column<ListedResource>[] {
  const name: Column<ListedResource> = {
    id: 'name',
    label: 'Name',
    cell: ({ id, name: text }) => (
      <Link
        to="/resources/$plural/$id"
        params={{ plural: kind.plural, id }}
        className={css['resource'] ?? ''}
      >
        {text}
      </Link>
    ),
  }
  const columns = adapters.slice(0, MAX_ADAPTERS).map((adapter) => ({
    id: `adapter ${adapter}`,
    label: adapter,
    cell: (resource: ListedResource) => {
      const state = cellState(resource, kind, adapter)
      if (state === null) return <span className={css['none']}>not required</span>
      const { label, tone, icon } = STATE_LOOKS[state]
      return (
        <Badge tone={tone} icon={icon}>
          {label}
        </Badge>
      )
    },
  }))
  return [name, ...columns]
}
