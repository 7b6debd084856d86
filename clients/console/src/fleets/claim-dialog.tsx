import { useState } from 'react'
import { notify } from '../design/overlays/notify.ts'
import { TextField } from '../design/text-field.tsx'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import { claimMember } from './claim-requests.ts'
import { parseCount } from './parse-count.ts'

interface ClaimDialogProps {
  readonly fleet: string
  /** The only member that will do; null for any available one. */
  readonly member: string | null
  readonly isOpen: boolean
  readonly onClose: () => void
  /** Receives the name of the claimed member. */
  readonly onClaimed?: (name: string) => void
}

/** A claim without a release must not hold its member for ever. */
const DEFAULT_MINUTES = 60

/** Claims a member for a user or a program. */
export function ClaimDialog({ fleet, member, isOpen, onClose, onClaimed }: ClaimDialogProps) {
  const [holder, setHolder] = useState('console')
  const [minutes, setMinutes] = useState(String(DEFAULT_MINUTES))
  const lease = minutes === '' ? { count: 0, problem: null } : parseCount(minutes)
  const claim = async () => {
    const { clusterID } = await claimMember(fleet, {
      holder,
      ...(member !== null && { clusterID: member }),
      ...(lease.count !== null && lease.count > 0 && { ttlSeconds: lease.count * 60 }),
    })
    notify({ tone: 'good', title: `Claimed ${clusterID}` })
    onClaimed?.(clusterID)
  }
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={member === null ? 'Claim a member' : `Claim ${member}`}
      description="The holder uses the member alone until the claim is released or its lease ends."
      action="Claim"
      isDisabled={holder === '' || lease.count === null}
      onAct={claim}
    >
      <TextField
        label="Holder"
        value={holder}
        onChange={setHolder}
        hint="Readers of the fleet see this name."
        autoComplete="off"
        maxLength={253}
      />
      <TextField
        label="Lease in minutes"
        value={minutes}
        onChange={setMinutes}
        inputMode="numeric"
        error={lease.problem}
        hint="Without a number, the claim ends only with its release."
      />
    </ActionDialog>
  )
}
