import { useState } from 'react'
import { notify } from '../design/overlays/notify.ts'
import { TextField } from '../design/text-field.tsx'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import { type SandboxTarget, takeSnapshot } from './sandbox-requests.ts'

interface SnapshotDialogProps {
  readonly target: SandboxTarget
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Takes a snapshot of a running sandbox. */
export function SnapshotDialog({ target, isOpen, onClose }: SnapshotDialogProps) {
  const [name, setName] = useState('')
  const take = async () => {
    await takeSnapshot(target, name)
    notify({ tone: 'good', title: 'The snapshot is being taken' })
    setName('')
  }
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Take a snapshot of ${target.name}`}
      description="The program continues to run. The sandbox needs a snapshot provider or claim."
      action="Take a snapshot"
      onAct={take}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        hint="Optional. The server chooses one otherwise."
        autoComplete="off"
      />
    </ActionDialog>
  )
}
