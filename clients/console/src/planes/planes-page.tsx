import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorState } from '../design/states/error-state.tsx'
import { Icon } from '../design/icon.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { type Column, Table } from '../design/table/table.tsx'
import { TextField } from '../design/text-field.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { clustersByNameQuery, type FoundCluster } from '../search/clusters-by-name-query.ts'
import { useDebounced } from '../design/hooks/use-debounced.ts'
import css from './planes-page.module.css'

const COLUMNS: readonly Column<FoundCluster>[] = [
  { id: 'name', label: 'Cluster', cell: ({ name }) => <strong>{name}</strong> },
  { id: 'id', label: 'ID', cell: ({ id }) => <code>{id}</code> },
  { id: 'age', label: 'Age', cell: ({ created_time: time }) => <TimeAgo time={time} /> },
]

/** Chooses a plane: the root plane or that of a cluster. */
export function PlanesPage() {
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const clusters = useQuery(clustersByNameQuery(useDebounced(name.trim())))
  const found = clusters.data
  return (
    <Page title="Planes" icon="plane">
      <div className={css['page']}>
        <Link to="/planes/$plane" params={{ plane: 'root' }} className={css['root']}>
          <Icon name="plane" size={20} />
          <span className={css['text']}>
            <strong>Root plane</strong>
            <span>Fleets, scenarios, roles and everything else that belongs to no cluster.</span>
          </span>
          <Icon name="right" />
        </Link>
        <Panel title="Planes of clusters" note={found && countOf(found)}>
          <div className={css['search']}>
            <TextField
              label="Find a cluster"
              type="search"
              value={name}
              onChange={setName}
              placeholder="A part of the name"
              hint="Every cluster has a Kubernetes-style API: its plane."
              autoComplete="off"
              data-search
            />
          </div>
          {clusters.isPending && <Skeleton />}
          {clusters.isError && (
            <ErrorState error={clusters.error} onRetry={() => void clusters.refetch()} />
          )}
          {found?.items.length === 0 && (
            <p className={css['none']}>
              {name === '' ? 'There are no clusters yet.' : 'No cluster has this in its name.'}
            </p>
          )}
          {found !== undefined && found.items.length > 0 && (
            <Table
              label="Clusters"
              columns={COLUMNS}
              rows={found.items}
              keyOf={({ id }) => id}
              onOpen={(cluster) =>
                void navigate({ to: '/planes/$plane', params: { plane: cluster.name } })
              }
            />
          )}
        </Panel>
      </div>
    </Page>
  )
}

function countOf({ items, total }: { readonly items: readonly unknown[]; readonly total: number }) {
  return items.length < total
    ? `${items.length} of ${total.toLocaleString()} shown`
    : total.toLocaleString()
}
