import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { notify } from '../../design/notify.ts'
import { resourceQuery } from '../../resource/data/resource-query.ts'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { client } from '../../session/connection.ts'
import { InlineError } from '../inline-error.tsx'
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
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const patch = labelPatch(base, rows)
  const hasProblem = rows.some((row) => rowProblem(row, rows) !== null)
  const save = async () => {
    setBusy(true)
    setError(null)
    try {
      const { id } = resource
      const labels = patch ?? {}
      const saved = await client.collection<KindResource>(plural).mergePatch(id, { labels })
      queries.setQueryData(
        resourceQuery(plural, id).queryKey,
        (state) => state && { ...state, resource: saved },
      )
      notify({ tone: 'good', title: 'The labels are saved' })
      onClose()
    } catch (failure) {
      setError(failure)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Labels of ${resource.name}`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            disabled={isBusy || hasProblem || patch === null}
            onClick={() => void save()}
          >
            {isBusy ? 'Saving…' : 'Save labels'}
          </Button>
        </>
      }
    >
      <LabelsFields rows={rows} onChange={setRows} />
      <InlineError error={error} />
    </Dialog>
  )
}
