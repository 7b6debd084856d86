import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionDialog } from '../../design/overlays/action-dialog.tsx'
import { notify } from '../../design/overlays/notify.ts'
import { resourceQuery } from '../../resource/data/resource-query.ts'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { client } from '../../session/connection.ts'
import { labelPatch, rowProblem, rowsOf } from './label-rows.ts'
import { LabelsFields } from './labels-fields.tsx'

interface LabelsDialogProps {
  readonly plural: string
  readonly resource: KindResource
  readonly onClose: () => void
}

/** Changes the labels of a resource. Labels that others change meanwhile stay as they are. */
export function LabelsDialog({ plural, resource, onClose }: LabelsDialogProps) {
  const queries = useQueryClient()
  const [base] = useState(resource.labels)
  const [rows, setRows] = useState(() => rowsOf(base))
  const patch = labelPatch(base, rows)
  const hasProblem = rows.some((row) => rowProblem(row, rows) !== null)
  const save = async () => {
    const { id } = resource
    const labels = patch ?? {}
    const saved = await client.collection<KindResource>(plural).mergePatch(id, { labels })
    queries.setQueryData(
      resourceQuery(plural, id).queryKey,
      (state) => state && { ...state, resource: saved },
    )
    notify({ tone: 'good', title: 'The labels are saved' })
  }
  return (
    <ActionDialog
      isOpen
      onClose={onClose}
      title={`Labels of ${resource.name}`}
      action="Save labels"
      isDisabled={hasProblem || patch === null}
      onAct={save}
    >
      <LabelsFields rows={rows} onChange={setRows} />
    </ActionDialog>
  )
}
