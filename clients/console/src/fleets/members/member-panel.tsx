import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FleetMember } from '../../../../typescript/src/generated/kplane.ts'
import { KPLANE, useAccess } from '../../access/use-access.ts'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { buttonClass } from '../../design/button-class.ts'
import { CopyButton } from '../../design/copy-button.tsx'
import { notify } from '../../design/overlays/notify.ts'
import { Panel } from '../../design/panel.tsx'
import { TimeAgo } from '../../design/time-ago.tsx'
import type { Tone } from '../../design/tone.ts'
import { Facts } from '../../kube/facts.tsx'
import { RequestError } from '../../design/states/request-error.tsx'
import { renewClaim } from '../claim-requests.ts'
import { ClaimDialog } from '../claim-dialog.tsx'
import css from './member-panel.module.css'
import { type MemberState, memberState, STATE_LABELS } from './member-state.ts'
import { ReleaseDialog } from '../release-dialog.tsx'
import { ClusterLink } from '../../resources/cluster-link.tsx'

const TONES: Readonly<Record<MemberState, Tone>> = {
  failed: 'bad',
  pending: 'warn',
  claimed: 'info',
  available: 'good',
}

interface MemberPanelProps {
  readonly fleet: string
  readonly member: FleetMember
}

/** One member: its state, its claim and what a user can do with it. */
export function MemberPanel({ fleet, member }: MemberPanelProps) {
  const [dialog, setDialog] = useState<'claim' | 'release' | null>(null)
  const [error, setError] = useState<unknown>(null)
  const { clusterID, uid, message = '', lastTransitionTime, claim } = member
  const state = memberState(member)
  const renew = async () => {
    if (claim === undefined) return
    setError(null)
    try {
      const renewed = await renewClaim(fleet, { clusterID, claimID: claim.claimID })
      const until = renewed.expiresTime
      const end = until === undefined ? 'It has no end.' : `It ends at ${timeOf(until)}.`
      notify({ tone: 'good', title: `Renewed the claim of ${clusterID}`, description: end })
    } catch (failure) {
      setError(failure)
    }
  }
  const close = () => setDialog(null)
  return (
    <Panel title={clusterID} note={<Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>}>
      <div className={css['body']}>
        {message !== '' && <p>{message}</p>}
        <Facts
          facts={[
            { label: 'Since', value: lastTransitionTime && <TimeAgo time={lastTransitionTime} /> },
            {
              label: 'Cluster ID',
              value: uid !== undefined && (
                <span className={css['id']}>
                  <code>{uid}</code>
                  <CopyButton text={uid} label="Copy the ID" />
                </span>
              ),
            },
            { label: 'Claimed by', value: claim?.holder },
            {
              label: 'Claimed',
              value: claim && <TimeAgo time={claim.claimedTime} suffix=" ago" />,
            },
            { label: 'Lease ends', value: claim && leaseEnd(claim.expiresTime) },
          ]}
        />
        <RequestError error={error} />
        <div className={css['actions']}>
          {uid !== undefined && (
            <>
              <ClusterLink id={uid} />
              <Link to="/planes/$plane" params={{ plane: clusterID }} className={buttonClass()}>
                Open its plane
              </Link>
            </>
          )}
          <ClaimActions
            {...{ fleet, claim, state }}
            onOpen={setDialog}
            onRenew={() => void renew()}
          />
        </div>
      </div>
      <ClaimDialog fleet={fleet} member={clusterID} isOpen={dialog === 'claim'} onClose={close} />
      {claim !== undefined && (
        <ReleaseDialog
          fleet={fleet}
          member={clusterID}
          claim={claim}
          isOpen={dialog === 'release'}
          onClose={close}
        />
      )}
    </Panel>
  )
}

interface ClaimActionsProps extends Pick<FleetMember, 'claim'> {
  readonly fleet: string
  readonly state: MemberState
  readonly onOpen: (dialog: 'claim' | 'release') => void
  readonly onRenew: () => void
}

function ClaimActions({ fleet, claim, state, onOpen, onRenew }: ClaimActionsProps) {
  const access = useAccess()
  const denied = (resource: string) =>
    access({ verb: 'create', group: KPLANE, resource, names: [fleet] })
  if (claim === undefined) {
    if (state !== 'available') return null
    return (
      <Button denied={denied('fleets/claim')} onClick={() => onOpen('claim')}>
        Claim
      </Button>
    )
  }
  return (
    <>
      <Button denied={denied('fleets/renew')} onClick={onRenew}>
        Renew
      </Button>
      <Button denied={denied('fleets/release')} onClick={() => onOpen('release')}>
        Release
      </Button>
    </>
  )
}

function leaseEnd(time: string | undefined): string {
  return time === undefined ? 'Only with its release' : `At ${timeOf(time)}`
}

function timeOf(time: string): string {
  return new Date(time).toLocaleTimeString()
}
