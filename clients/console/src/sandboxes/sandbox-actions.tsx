import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAccess } from '../access/use-access.ts'
import { ActionMenu } from '../design/overlays/action-menu.tsx'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { DeleteObjectDialog } from '../planes/objects/delete-object-dialog.tsx'
import { ForkDialog } from './fork-dialog.tsx'
import { ResumeDialog } from './resume-dialog.tsx'
import { type Sandbox, SANDBOXES } from './sandbox.ts'
import type { SandboxTarget } from './sandbox-requests.ts'
import { sandboxState } from './sandbox-state.ts'
import { SnapshotDialog } from './snapshot-dialog.tsx'
import { SuspendDialog } from './suspend-dialog.tsx'

type OpenDialog = 'suspend' | 'resume' | 'snapshot' | 'fork' | 'delete' | null

interface SandboxActionsProps {
  readonly target: SandboxTarget
  readonly sandbox: Sandbox
}

/** The buttons of a sandbox. */
export function SandboxActions({ target, sandbox }: SandboxActionsProps) {
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<OpenDialog>(null)
  const close = () => setDialog(null)
  const access = useAccess(target.plane, target.namespace)
  const denied = (verb: string, subresource = '') =>
    access({
      verb,
      group: SANDBOXES.group,
      resource: `sandboxes${subresource}`,
      names: [target.name],
    })
  const { word } = sandboxState(sandbox)
  const isSuspended = sandbox.spec.operatingMode === 'Suspended'
  return (
    <>
      {isSuspended ? (
        <Button
          variant="primary"
          denied={denied('create', '/resume')}
          onClick={() => setDialog('resume')}
        >
          <Icon name="play" size={14} />
          Resume
        </Button>
      ) : (
        <Button
          denied={denied('create', '/suspend')}
          onClick={() => setDialog('suspend')}
          disabled={word === 'Finished'}
        >
          <Icon name="pause" size={14} />
          Suspend
        </Button>
      )}
      <ActionMenu
        label="More actions"
        actions={[
          {
            label: 'Take a snapshot',
            icon: 'bookmark',
            disabled: word !== 'Running',
            denied: denied('create', '/snapshots'),
            onSelect: () => setDialog('snapshot'),
          },
          {
            label: 'Fork',
            icon: 'copy',
            denied: denied('create', '/fork'),
            onSelect: () => setDialog('fork'),
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
      <SuspendDialog
        target={target}
        sandbox={sandbox}
        isOpen={dialog === 'suspend'}
        onClose={close}
      />
      <ResumeDialog target={target} isOpen={dialog === 'resume'} onClose={close} />
      <SnapshotDialog target={target} isOpen={dialog === 'snapshot'} onClose={close} />
      <ForkDialog target={target} isOpen={dialog === 'fork'} onClose={close} />
      <DeleteObjectDialog
        plane={target.plane}
        kind={SANDBOXES}
        object={sandbox}
        isOpen={dialog === 'delete'}
        onClose={close}
        onDeleted={() => void navigate({ to: '/sandboxes' })}
      />
    </>
  )
}
