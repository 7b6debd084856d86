import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Badge } from '../design/badge.tsx'
import { EmptyState } from '../design/states/empty-state.tsx'
import { ErrorState } from '../design/states/error-state.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { type Column, Table } from '../design/table/table.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { readObjects } from '../kube/read-objects.ts'
import { OBJECT_RULES } from '../kube/object-rules.ts'
import { cellTone } from '../planes/objects/cell-tone.ts'
import { objectParams } from '../planes/plane-address.ts'
import { client } from '../session/connection.ts'
import { formatBytes } from './format-bytes.ts'
import type { Sandbox, SandboxSnapshot } from './sandbox.ts'
import { sandboxPath, type SandboxTarget } from './sandbox-requests.ts'

const KIND = { group: 'agents.x-k8s.io', version: 'v1beta1', plural: 'snapshots' } as const
const INTERVAL_MS = 2000

interface SnapshotsProps {
  readonly target: SandboxTarget
  readonly sandbox: Sandbox
}

/** The snapshots of a sandbox. They are read regularly, since the stream follows the sandbox. */
export function Snapshots({ target, sandbox }: SnapshotsProps) {
  const path = sandboxPath(target, 'snapshots')
  const snapshots = useQuery({
    queryKey: ['snapshots', path, sandbox.metadata.uid],
    refetchInterval: INTERVAL_MS,
    queryFn: async ({ signal }) => {
      const { body } = await client.request({ method: 'GET', path, signal, retry: 'always' })
      return readObjects<SandboxSnapshot>(body)
    },
  })
  const columns = useMemo(() => columnsOf(target.plane), [target.plane])
  if (snapshots.isPending) return <Skeleton />
  if (snapshots.isError) {
    return <ErrorState error={snapshots.error} onRetry={() => void snapshots.refetch()} />
  }
  if (snapshots.data.length === 0) {
    return (
      <EmptyState icon="bookmark" title="No snapshots">
        A suspend with the strategy Hibernate takes a snapshot, and so does "Take a snapshot" in the
        menu. Both need a snapshot provider or claim in the spec.
      </EmptyState>
    )
  }
  return (
    <Table label="Snapshots" columns={columns} rows={snapshots.data} keyOf={OBJECT_RULES.keyOf} />
  )
}

function columnsOf(plane: string): readonly Column<SandboxSnapshot>[] {
  return [
    {
      id: 'name',
      label: 'Name',
      cell: ({ metadata }) => (
        <Link
          to="/planes/$plane/$group/$version/$plural/$namespace/$name"
          params={objectParams(plane, KIND, metadata)}
        >
          {metadata.name}
        </Link>
      ),
    },
    {
      id: 'phase',
      label: 'Phase',
      cell: ({ status: { phase = 'Creating' } = {} }) => (
        <Badge tone={cellTone('phase', phase) ?? 'neutral'}>{phase}</Badge>
      ),
    },
    {
      id: 'size',
      label: 'Size',
      isNumber: true,
      cell: ({ status }) => formatBytes(status?.sizeBytes),
    },
    { id: 'captured', label: 'Contains', cell: ({ status }) => status?.captured?.join(', ') },
    { id: 'store', label: 'Store', cell: ({ status }) => status?.backend?.store },
    { id: 'message', label: 'Message', cell: ({ status }) => status?.message },
    {
      id: 'age',
      label: 'Age',
      cell: ({ metadata }) => <TimeAgo time={metadata.creationTimestamp ?? ''} />,
    },
  ]
}
