import { useState } from 'react'
import { notify } from '../design/overlays/notify.ts'
import { TextField } from '../design/text-field.tsx'
import { parseCount } from '../fleets/parse-count.ts'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import { forkSandbox, type SandboxTarget } from './sandbox-requests.ts'

interface ForkDialogProps {
  readonly target: SandboxTarget
  readonly isOpen: boolean
  readonly onClose: () => void
}

const MAX_COPIES = 50

/** Creates sandboxes that begin with the state of this one. */
export function ForkDialog({ target, isOpen, onClose }: ForkDialogProps) {
  const [text, setText] = useState('1')
  const [namePrefix, setPrefix] = useState('')
  const { count } = parseCount(text)
  const isValid = count !== null && count >= 1 && count <= MAX_COPIES
  const fork = async () => {
    const copies = await forkSandbox(target, { count: count ?? 1, namePrefix })
    const failed = copies.filter(({ error }) => error !== undefined)
    const names = copies.filter(({ error }) => error === undefined).map(({ name }) => name)
    if (names.length > 0) {
      notify({ tone: 'good', title: 'Forked', description: names.join(', ') })
    }
    if (failed.length > 0) {
      const description = failed[0]?.error?.message ?? ''
      notify({ tone: 'bad', title: `${failed.length} copies failed`, description })
    }
  }
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Fork ${target.name}`}
      description="Takes a snapshot and creates sandboxes that begin with its files."
      action="Fork"
      isDisabled={!isValid}
      onAct={fork}
    >
      <TextField
        label="Copies"
        value={text}
        onChange={setText}
        inputMode="numeric"
        error={isValid ? null : `Enter a number from 1 to ${MAX_COPIES}.`}
      />
      <TextField
        label="Prefix of the names"
        value={namePrefix}
        onChange={setPrefix}
        placeholder={`${target.name}-fork-`}
        autoComplete="off"
      />
    </ActionDialog>
  )
}
