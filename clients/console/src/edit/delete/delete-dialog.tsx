import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ActionDialog } from '../../design/overlays/action-dialog.tsx'
import { notify } from '../../design/overlays/notify.ts'
import { Skeleton } from '../../design/states/skeleton.tsx'
import { TextField } from '../../design/text-field.tsx'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { resourceQuery } from '../../resource/data/resource-query.ts'
import { client } from '../../session/connection.ts'
import { RequestError } from '../../design/states/request-error.tsx'
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
  const isConfirmed = isForced ? reason.trim() !== '' : typed === name
  const isRefused = !isForced && plan.data?.refusal !== null
  const remove = async () => {
    const collection = client.collection<KindResource>(plural)
    const left = isForced ? await collection.forceDelete(id, reason) : await collection.delete(id)
    if (left !== null && !isForced) {
      queries.setQueryData(
        resourceQuery(plural, id).queryKey,
        (state) => state && { ...state, resource: left },
      )
    }
    notify({ tone: 'good', title: isForced ? `${name} is removed` : `${name} is being deleted` })
  }
  return (
    <ActionDialog
      isOpen
      onClose={onClose}
      title={isForced ? `Remove ${name} without its adapters` : `Delete ${name}`}
      description={
        isForced
          ? 'The resource, its children and their reports disappear now. Objects that adapters created elsewhere are left behind.'
          : 'Adapters clean up first. The resource disappears when all of them have finished. You cannot undo this.'
      }
      action={isForced ? 'Remove now' : `Delete ${kind}`}
      isDangerous
      isDisabled={!isConfirmed || isRefused}
      onAct={remove}
    >
      {plan.data === undefined ? (
        plan.error === null ? (
          <Skeleton lines={3} />
        ) : (
          <RequestError error={plan.error} />
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
    </ActionDialog>
  )
}
