import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { TextField } from '../design/text-field.tsx'
import { notify } from '../design/overlays/notify.ts'
import { queryClient } from '../data/query-client.ts'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import { client } from '../session/connection.ts'
import { FLEETS_PATH, type NamedFleet } from './fleet-objects.ts'
import { fleetQuery } from './fleet-query.ts'
import { parseCount } from './parse-count.ts'
import css from './scale-dialog.module.css'

interface ScaleDialogProps {
  readonly fleet: NamedFleet
  readonly onClose: () => void
}

/** Changes the number of members. It says beforehand what happens to the others. */
export function ScaleDialog({ fleet, onClose }: ScaleDialogProps) {
  const { replicas } = fleet.spec
  const [text, setText] = useState(String(replicas))
  const { count, problem } = parseCount(text)
  const step = (change: number) => setText(String(Math.max(0, (count ?? replicas) + change)))
  const scale = async () => {
    if (count === null) return
    await scaleFleet(fleet.metadata.name, count)
    notify({ tone: 'good', title: `Scaled ${fleet.metadata.name} to ${count.toLocaleString()}` })
  }
  return (
    <ActionDialog
      isOpen
      onClose={onClose}
      title={`Scale ${fleet.metadata.name}`}
      description={`The fleet has ${replicas.toLocaleString()} desired members.`}
      action="Scale"
      isDisabled={count === null || count === replicas}
      onAct={scale}
    >
      <div className={css['count']}>
        <Button square aria-label="One member less" onClick={() => step(-1)}>
          <Icon name="minus" />
        </Button>
        <TextField
          label="Members"
          value={text}
          onChange={setText}
          inputMode="numeric"
          error={problem}
          autoComplete="off"
        />
        <Button square aria-label="One member more" onClick={() => step(1)}>
          <Icon name="plus" />
        </Button>
      </div>
      {count !== null && <p>{effectOf(fleet, count)}</p>}
    </ActionDialog>
  )
}

function effectOf({ spec }: NamedFleet, count: number): string {
  const difference = count - spec.replicas
  if (difference === 0) return 'Nothing changes.'
  const members = `${Math.abs(difference).toLocaleString()} ${Math.abs(difference) === 1 ? 'member' : 'members'}`
  if (difference > 0) return `The controller creates ${members}.`
  const fate =
    spec.scaleDownPolicy === 'Delete' ? 'their clusters are deleted' : 'their clusters stay'
  return `${members} leave the fleet, the highest numbers first, and ${fate}. Claimed members stay until they are released.`
}

async function scaleFleet(name: string, replicas: number): Promise<void> {
  await client.plane('root').request({
    method: 'PATCH',
    path: `${FLEETS_PATH}/${encodeURIComponent(name)}/scale`,
    body: { spec: { replicas } },
    headers: { 'Content-Type': 'application/merge-patch+json' },
  })
  await queryClient.invalidateQueries(fleetQuery(name))
}
