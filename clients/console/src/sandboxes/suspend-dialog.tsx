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

const EFFECTS: Readonly<Record<string, string>> = {
  Stop: 'The program ends. Its files stay.',
  Freeze: 'The program is frozen in memory and continues within milliseconds.',
  Hibernate: 'A snapshot is taken, then the program ends. A resume restores the snapshot.',
}

/** Suspends a sandbox, with its own strategy or another one. */
export function SuspendDialog({ target, sandbox, isOpen, onClose }: SuspendDialogProps) {
  const own = sandbox.spec.suspensionStrategy?.type ?? 'Stop'
  const [strategy, setStrategy] = useState('')
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
      description={EFFECTS[strategy === '' ? own : strategy]}
      action="Suspend"
      onAct={() => suspendSandbox(target, strategy)}
    >
      <SelectField label="Strategy" value={strategy} options={options} onChange={setStrategy} />
    </ActionDialog>
  )
}
