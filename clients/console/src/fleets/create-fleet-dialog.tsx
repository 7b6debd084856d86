import { useState } from 'react'
import { SelectField } from '../design/select-field.tsx'
import { TextField } from '../design/text-field.tsx'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import { client } from '../session/connection.ts'
import { parseCount } from './parse-count.ts'

interface CreateFleetDialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onCreated: (name: string) => void
}

const POLICIES = [
  { value: 'Delete', label: 'Delete the clusters' },
  { value: 'Orphan', label: 'Keep the clusters without the fleet' },
] as const

const INITIAL = { name: '', replicas: '3', namePrefix: '', scenario: '' }

/** Asks for the fields that most fleets need. All others can be edited as YAML later. */
export function CreateFleetDialog({ isOpen, onClose, onCreated }: CreateFleetDialogProps) {
  const [form, setForm] = useState(INITIAL)
  const [policy, setPolicy] = useState<'Delete' | 'Orphan'>('Delete')
  const set = (field: keyof typeof INITIAL) => (value: string) =>
    setForm((current) => ({ ...current, [field]: value }))
  const { count, problem } = parseCount(form.replicas)
  const create = async () => {
    if (count === null) return
    const scenarioRef = form.scenario === '' ? undefined : { name: form.scenario }
    await client.createFleet({
      name: form.name,
      replicas: count,
      scaleDownPolicy: policy,
      deletionPolicy: policy,
      ...(form.namePrefix !== '' && { namePrefix: form.namePrefix }),
      ...(scenarioRef !== undefined && { template: { scenarioRef } }),
    })
    setForm(INITIAL)
    onCreated(form.name)
  }
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create a fleet"
      description="Flotilla creates the clusters and keeps their number."
      action="Create fleet"
      isDisabled={form.name === '' || count === null}
      onAct={create}
    >
      <TextField
        label="Name"
        value={form.name}
        onChange={set('name')}
        autoComplete="off"
        required
      />
      <TextField
        label="Members"
        value={form.replicas}
        onChange={set('replicas')}
        inputMode="numeric"
        error={problem}
      />
      <TextField
        label="Prefix of the names"
        value={form.namePrefix}
        onChange={set('namePrefix')}
        placeholder={form.name === '' ? '' : `${form.name}-`}
        hint={`The first member is ${form.namePrefix || `${form.name || 'name'}-`}0000.`}
        autoComplete="off"
      />
      <TextField
        label="Scenario"
        value={form.scenario}
        onChange={set('scenario')}
        hint="Optional. The Scenario with the initial content of every member."
        autoComplete="off"
      />
      <SelectField
        label="Members that leave the fleet"
        value={policy}
        options={POLICIES}
        onChange={setPolicy}
        hint="Applies to scaling down and to the deletion of the fleet."
      />
    </ActionDialog>
  )
}
