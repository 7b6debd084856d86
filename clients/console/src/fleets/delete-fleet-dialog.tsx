import { useState } from 'react'
import { SelectField } from '../design/select-field.tsx'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import { client } from '../session/connection.ts'
import { FLEETS_PATH, type NamedFleet } from './fleet-objects.ts'

interface DeleteFleetDialogProps {
  readonly fleet: NamedFleet
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Deletes a fleet, with or without its members. */
export function DeleteFleetDialog({ fleet, isOpen, onClose }: DeleteFleetDialogProps) {
  const [policy, setPolicy] = useState<'Background' | 'Orphan'>(
    fleet.spec.deletionPolicy === 'Delete' ? 'Background' : 'Orphan',
  )
  const { name } = fleet.metadata
  const members = (fleet.status?.replicas ?? 0).toLocaleString()
  const claimed = fleet.status?.claimedReplicas ?? 0
  const options = [
    { value: 'Orphan', label: `Keep the ${members} clusters` },
    { value: 'Background', label: `Delete the ${members} clusters` },
  ] as const
  const remove = async () => {
    const path = `${FLEETS_PATH}/${encodeURIComponent(name)}`
    const query = { propagationPolicy: policy }
    await client.plane('root').request({ method: 'DELETE', path, query })
  }
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${name}`}
      description="The fleet ends when its members are removed. This cannot be undone."
      action="Delete fleet"
      isDangerous
      onAct={remove}
    >
      <SelectField label="Its members" value={policy} options={options} onChange={setPolicy} />
      {claimed > 0 && policy === 'Background' && (
        <p>{claimed.toLocaleString()} of them are claimed. Their holders lose them.</p>
      )}
    </ActionDialog>
  )
}
