import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { KPLANE, useAccess } from '../access/use-access.ts'
import { queryClient } from '../data/query-client.ts'
import { ActionMenu } from '../design/overlays/action-menu.tsx'
import { Button } from '../design/button.tsx'
import { EmptyState } from '../design/states/empty-state.tsx'
import { ErrorState } from '../design/states/error-state.tsx'
import { Page } from '../design/page.tsx'
import { Panel } from '../design/panel.tsx'
import { Skeleton } from '../design/states/skeleton.tsx'
import { ConditionList } from '../kube/condition-list.tsx'
import { Facts } from '../kube/facts.tsx'
import type { KubeCondition } from '../kube/kube-object.ts'
import type { Tone } from '../design/tone.ts'
import { ClaimDialog } from './claim-dialog.tsx'
import { DeleteFleetDialog } from './delete-fleet-dialog.tsx'
import type { NamedFleet } from './fleet-objects.ts'
import css from './fleet-page.module.css'
import { fleetQuery } from './fleet-query.ts'
import { fleetState } from './fleet-state.ts'
import { FleetBadge } from './fleets-page.tsx'
import { MemberGrid } from './members/member-grid.tsx'
import { MemberPanel } from './members/member-panel.tsx'
import { ReadyBar } from './ready-bar.tsx'
import { ScaleDialog } from './scale-dialog.tsx'
import { setPaused } from './set-paused.ts'
import { useMembers } from './members/use-members.ts'

type OpenDialog = 'scale' | 'claim' | 'delete' | null

/** One fleet: its numbers, its conditions and its members as a grid. */
export function FleetPage() {
  const { name } = useParams({ from: '/fleets/$name' })
  const fleet = useQuery(fleetQuery(name))
  if (fleet.data !== undefined) return <LoadedFleet key={name} fleet={fleet.data} />
  return (
    <Page title={name} trail={TRAIL}>
      {fleet.isPending && <Skeleton />}
      {fleet.isError && <ErrorState error={fleet.error} onRetry={() => void fleet.refetch()} />}
    </Page>
  )
}

const TRAIL = [{ label: 'Fleets', to: '/fleets' }] as const

function LoadedFleet({ fleet }: { readonly fleet: NamedFleet }) {
  const { name } = fleet.metadata
  const { explanation } = fleetState(fleet)
  const [selected, setSelected] = useState<string | null>(null)
  const members = useMembers(name)
  const member = members.items.find(({ clusterID }) => clusterID === selected)
  useReadAfter(name, members.items)
  const title = members.isComplete ? 'Members' : 'Members, loading'
  return (
    <Page
      title={name}
      icon="fleet"
      trail={TRAIL}
      status={<FleetBadge fleet={fleet} />}
      actions={<FleetActions fleet={fleet} onClaimed={setSelected} />}
    >
      <div className={css['columns']}>
        <div className={css['column']}>
          {explanation !== '' && <p className={css['explanation']}>{explanation}</p>}
          <Panel title={title}>
            <div className={css['padded']}>
              {members.error !== null && (
                <ErrorState error={members.error} onRetry={members.retry} />
              )}
              {members.isPending && <Skeleton lines={3} />}
              {members.isComplete && members.items.length === 0 && (
                <EmptyState icon="fleet" title="No members">
                  The fleet has no members. Scale it to create some.
                </EmptyState>
              )}
              {members.items.length > 0 && (
                <MemberGrid
                  members={members.items}
                  missing={Math.max(0, fleet.spec.replicas - members.items.length)}
                  selected={selected}
                  onSelect={setSelected}
                />
              )}
            </div>
          </Panel>
        </div>
        <div className={css['column']}>
          {member !== undefined && (
            <MemberPanel key={member.clusterID} fleet={name} member={member} />
          )}
          <Panel title="Fleet">
            <div className={css['padded']}>
              <FleetFacts fleet={fleet} />
            </div>
          </Panel>
          <Panel title="Conditions">
            <ConditionList conditions={fleet.status?.conditions ?? []} toneOf={toneOf} />
          </Panel>
        </div>
      </div>
    </Page>
  )
}

const AFTER_MS = 400

/** Reads the fleet again soon after its members have changed. Large objects wait longer. */
function useReadAfter(name: string, members: readonly unknown[]): void {
  useEffect(() => {
    const timer = setTimeout(
      () => void queryClient.invalidateQueries(fleetQuery(name)),
      AFTER_MS + members.length,
    )
    return () => clearTimeout(timer)
  }, [name, members])
}

interface FleetActionsProps {
  readonly fleet: NamedFleet
  readonly onClaimed: (member: string) => void
}

function FleetActions({ fleet, onClaimed }: FleetActionsProps) {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const { name } = fleet.metadata
  const close = () => setDialog(null)
  const access = useAccess()
  const denied = (verb: string, resource = 'fleets') =>
    access({ verb, group: KPLANE, resource, names: [name] })
  const edit = () =>
    void navigate({
      to: '/planes/$plane/$group/$version/$plural/$namespace/$name',
      params: {
        plane: 'root',
        group: 'kplane.dev',
        version: 'v1',
        plural: 'fleets',
        namespace: '-',
        name,
      },
    })
  return (
    <>
      <Button denied={denied('create', 'fleets/claim')} onClick={() => setDialog('claim')}>
        Claim a member
      </Button>
      <Button
        variant="primary"
        denied={denied('patch', 'fleets/scale')}
        onClick={() => setDialog('scale')}
      >
        Scale
      </Button>
      <ActionMenu
        label="More actions"
        actions={[
          { label: 'Edit as YAML', icon: 'edit', onSelect: edit },
          {
            ...(fleet.spec.paused === true
              ? { label: 'Resume', icon: 'play', onSelect: () => void setPaused(name, false) }
              : { label: 'Pause', icon: 'pause', onSelect: () => void setPaused(name, true) }),
            denied: denied('patch'),
          },
          {
            label: 'Delete',
            icon: 'trash',
            isDangerous: true,
            denied: denied('delete'),
            onSelect: () => setDialog('delete'),
          },
        ]}
      />
      {dialog === 'scale' && <ScaleDialog fleet={fleet} onClose={close} />}
      <ClaimDialog
        fleet={name}
        member={null}
        isOpen={dialog === 'claim'}
        onClose={close}
        onClaimed={onClaimed}
      />
      <DeleteFleetDialog fleet={fleet} isOpen={dialog === 'delete'} onClose={close} />
    </>
  )
}

function FleetFacts({ fleet }: { readonly fleet: NamedFleet }) {
  const { spec, status, metadata } = fleet
  const seconds = spec.ttlSeconds
  return (
    <Facts
      facts={[
        {
          label: 'Ready',
          value: <ReadyBar ready={status?.readyReplicas ?? 0} desired={spec.replicas} />,
        },
        { label: 'Available', value: (status?.availableReplicas ?? 0).toLocaleString() },
        { label: 'Claimed', value: (status?.claimedReplicas ?? 0).toLocaleString() },
        {
          label: 'With the current template',
          value: (status?.updatedReplicas ?? 0).toLocaleString(),
        },
        { label: 'Scenario', value: spec.template?.scenarioRef?.name },
        { label: 'After scaling down', value: afterwards(spec.scaleDownPolicy) },
        { label: 'After deletion', value: afterwards(spec.deletionPolicy) },
        { label: 'Update strategy', value: spec.updateStrategy?.type },
        {
          label: 'Deleted after',
          value: seconds !== undefined && `${seconds} s, from ${spec.ttlFrom}`,
        },
        { label: 'Generation', value: metadata.generation },
      ]}
    />
  )
}

function afterwards(policy: 'Orphan' | 'Delete' | undefined): string {
  return policy === 'Delete' ? 'Clusters are deleted' : 'Clusters stay'
}

/** Ready should be True; the others report work or problems. */
function toneOf({ type, status }: KubeCondition): Tone {
  if (type === 'Ready') return status === 'True' ? 'good' : 'warn'
  if (status !== 'True') return 'neutral'
  return type === 'Degraded' ? 'bad' : 'warn'
}
