import { useState } from 'react'
import { SelectField } from '../design/select-field.tsx'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import type { Sandbox } from './sandbox.ts'
import { type SandboxTarget, suspendSandbox } from './sandbox-requests.ts'

interface SuspendDialogProps {
  readonly target: SandboxTarget
  readonly sandbox: Sandbox
  readonly isOpen: boolean
  readonly onClose: () => void
}

interface Effect {
  readonly text: string
  /** Whether a part of the state is gone afterwards. */
  readonly loses: boolean
}

const EFFECTS: Readonly<Record<string, Effect>> = {
  Stop: {
    text: 'The program ends: its memory, its processes and its connections are lost. The files of the workspace and the volumes stay until the sandbox is deleted or its shutdownTime has passed.',
    loses: true,
  },
  Freeze: {
    text: 'Nothing is lost: the program is frozen in memory and continues within milliseconds.',
    loses: false,
  },
  Hibernate: {
    text: 'A snapshot is taken, then the program ends. A resume restores the snapshot. Connections are lost.',
    loses: true,
  },
}

/** Suspends a sandbox, with its own strategy or another one. */
export function SuspendDialog({ target, sandbox, isOpen, onClose }: SuspendDialogProps) {
  const own = sandbox.spec.suspensionStrategy?.type ?? 'Stop'
  const [strategy, setStrategy] = useState('')
  const effect = EFFECTS[strategy === '' ? own : strategy]
  const options = [
    { value: '', label: `${own}, as the sandbox says` },
    // Hibernate needs a backend, which the sandbox must name itself.
    ...['Stop', 'Freeze']
      .filter((type) => type !== own)
      .map((type) => ({ value: type, label: type })),
  ]
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Suspend ${target.name}`}
      description={effect?.text}
      action="Suspend"
      isDangerous={effect?.loses !== false}
      onAct={() => suspendSandbox(target, strategy)}
    >
      <SelectField label="Strategy" value={strategy} options={options} onChange={setStrategy} />
    </ActionDialog>
  )
}
