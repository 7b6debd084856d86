import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { notify } from '../../design/notify.ts'
import { Skeleton } from '../../design/skeleton.tsx'
import { TextField } from '../../design/text-field.tsx'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { resourceQuery } from '../../resource/data/resource-query.ts'
import { client } from '../../session/connection.ts'
import { InlineError } from '../inline-error.tsx'
import { deletionQuery } from './deletion-query.ts'
import { Effects } from './effects.tsx'

interface DeleteDialogProps {
  readonly plural: string
  readonly resource: KindResource
  readonly onClose: () => void
}

/** Asks before a deletion, with everything that it affects; forces one that is in progress. */
export function DeleteDialog({ plural, resource, onClose }: DeleteDialogProps) {
  const isForced = resource.deleted_time !== undefined
  const { name, kind, id } = resource
  const queries = useQueryClient()
  const plan = useQuery(deletionQuery(plural, resource))
  const [typed, setTyped] = useState('')
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const isConfirmed = isForced ? reason.trim() !== '' : typed === name
  const isRefused = !isForced && plan.data?.refusal !== null
  const remove = async () => {
    setBusy(true)
    setError(null)
    const collection = client.collection<KindResource>(plural)
    try {
      const left = isForced ? await collection.forceDelete(id, reason) : await collection.delete(id)
      if (left !== null && !isForced) {
        queries.setQueryData(
          resourceQuery(plural, id).queryKey,
          (state) => state && { ...state, resource: left },
        )
      }
      notify({ tone: 'good', title: isForced ? `${name} is removed` : `${name} is being deleted` })
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
      title={isForced ? `Remove ${name} without its adapters` : `Delete ${name}`}
      description={
        isForced
          ? 'The resource, its children and their reports disappear now. Objects that adapters created elsewhere are left behind.'
          : 'Adapters clean up first. The resource disappears when all of them have finished. You cannot undo this.'
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            disabled={isBusy || !isConfirmed || isRefused}
            onClick={() => void remove()}
          >
            {isBusy ? 'Deleting…' : isForced ? 'Remove now' : `Delete ${kind}`}
          </Button>
        </>
      }
    >
      {plan.data === undefined ? (
        plan.error === null ? (
          <Skeleton lines={3} />
        ) : (
          <InlineError error={plan.error} />
        )
      ) : (
        <Effects plan={plan.data} isForced={isForced} />
      )}
      {isForced ? (
        <TextField
          label="Reason"
          value={reason}
          onChange={setReason}
          maxLength={1024}
          hint="The server records it with your name."
        />
      ) : (
        <TextField
          label={`Type ${name} to confirm`}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <InlineError error={error} />
    </Dialog>
  )
}
