import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Fleet } from '../../../typescript/src/generated/kplane.ts'
import { KPLANE, useAccess } from '../access/use-access.ts'
import { Badge } from '../design/badge.tsx'
import { Button } from '../design/button.tsx'
import { EmptyState } from '../design/states/empty-state.tsx'
import { Icon } from '../design/icon.tsx'
import { Page } from '../design/page.tsx'
import type { Column } from '../design/table/table.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { LiveTable } from '../kube/live-table.tsx'
import { OBJECT_RULES } from '../kube/object-rules.ts'
import { useLiveList } from '../kube/use-live-list.ts'
import { CreateFleetDialog } from './create-fleet-dialog.tsx'
import { FLEETS_PATH, type NamedFleet, readFleets } from './fleet-objects.ts'
import css from './fleets-page.module.css'
import { fleetState } from './fleet-state.ts'
import { ReadyBar } from './ready-bar.tsx'

const COLUMNS: readonly Column<NamedFleet>[] = [
  {
    id: 'name',
    label: 'Name',
    sortValue: ({ metadata }) => metadata.name,
    cell: ({ metadata: { name } }) => (
      <Link to="/fleets/$name" params={{ name }} className={css['name'] ?? ''}>
        {name}
      </Link>
    ),
  },
  {
    id: 'state',
    label: 'State',
    sortValue: (fleet) => fleetState(fleet).word,
    cell: (fleet) => <FleetBadge fleet={fleet} />,
  },
  {
    id: 'ready',
    label: 'Ready',
    cell: ({ spec, status }) => (
      <ReadyBar ready={status?.readyReplicas ?? 0} desired={spec.replicas} />
    ),
  },
  {
    id: 'claimed',
    label: 'Claimed',
    isNumber: true,
    cell: ({ status }) => status?.claimedReplicas ?? 0,
  },
  {
    id: 'failed',
    label: 'Failed',
    isNumber: true,
    cell: ({ status }) => status?.failedReplicas ?? 0,
  },
  {
    id: 'age',
    label: 'Age',
    cell: ({ metadata }) => <TimeAgo time={metadata.creationTimestamp ?? ''} />,
  },
]

/** All fleets of the server. */
export function FleetsPage() {
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const fleets = useLiveList<NamedFleet>({
    ...OBJECT_RULES,
    plane: 'root',
    path: FLEETS_PATH,
    readItems: readFleets,
  })
  const open = (name: string) => void navigate({ to: '/fleets/$name', params: { name } })
  const denied = useAccess()({ verb: 'create', group: KPLANE, resource: 'fleets' })
  const create = (
    <Button variant="primary" denied={denied} onClick={() => setCreating(true)}>
      <Icon name="plus" size={14} />
      Create fleet
    </Button>
  )
  return (
    <Page title="Fleets" icon="fleet" actions={create} flush>
      <LiveTable
        label="Fleets"
        list={fleets}
        columns={COLUMNS}
        onOpen={({ metadata }) => open(metadata.name)}
      >
        <EmptyState
          icon="fleet"
          title="No fleets yet"
          command="npx flotilla fleet create rollout --replicas 10"
        >
          A fleet keeps a number of clusters, each with its own plane. Programs claim its members
          one by one.
        </EmptyState>
      </LiveTable>
      <CreateFleetDialog isOpen={isCreating} onClose={() => setCreating(false)} onCreated={open} />
    </Page>
  )
}

/** The state of a fleet; its tooltip has the explanation. */
export function FleetBadge({ fleet }: { readonly fleet: Fleet }) {
  const { word, tone, explanation } = fleetState(fleet)
  return (
    <span title={explanation}>
      <Badge tone={tone}>{word}</Badge>
    </span>
  )
}
