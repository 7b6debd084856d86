import { useState } from 'react'
import type { FleetMemberClaim } from '../../../typescript/src/generated/kplane.ts'
import { notify } from '../design/overlays/notify.ts'
import { SelectField } from '../design/select-field.tsx'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import { releaseClaim } from './claim-requests.ts'

const POLICIES = [
  { value: 'Recycle', label: 'Recycle: empty its plane and write the template again' },
  { value: 'Delete', label: 'Delete: replace it by a new cluster' },
  { value: 'Keep', label: 'Keep: return it as it is' },
] as const

interface ReleaseDialogProps {
  readonly fleet: string
  readonly member: string
  readonly claim: FleetMemberClaim
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Ends the claim of a member. */
export function ReleaseDialog({ fleet, member, claim, isOpen, onClose }: ReleaseDialogProps) {
  const [policy, setPolicy] = useState<'Recycle' | 'Delete' | 'Keep'>('Recycle')
  const release = async () => {
    // oxlint-disable-next-line unicorn/no-thenable -- the name of the field in the API
    await releaseClaim(fleet, { clusterID: member, claimID: claim.claimID, then: policy })
    notify({ tone: 'good', title: `Released ${member}` })
  }
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Release ${member}`}
      description={`${claim.holder} loses the member.`}
      action="Release"
      isDangerous
      onAct={release}
    >
      <SelectField
        label="The member afterwards"
        value={policy}
        options={POLICIES}
        onChange={setPolicy}
      />
    </ActionDialog>
  )
}
