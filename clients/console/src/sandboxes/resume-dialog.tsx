import { useState } from 'react'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import { resumeSandbox, type SandboxTarget } from './sandbox-requests.ts'

interface ResumeDialogProps {
  readonly target: SandboxTarget
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Resumes a sandbox. */
export function ResumeDialog({ target, isOpen, onClose }: ResumeDialogProps) {
  const [coldBoot, setColdBoot] = useState(false)
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Resume ${target.name}`}
      description="The program starts again with its saved state."
      action="Resume"
      onAct={() => resumeSandbox(target, coldBoot)}
    >
      <label>
        <input
          type="checkbox"
          checked={coldBoot}
          onChange={(event) => setColdBoot(event.target.checked)}
        />{' '}
        Start without the saved state if it cannot be restored
      </label>
    </ActionDialog>
  )
}
