import { useState } from 'react'
import { notify } from '../../design/overlays/notify.ts'
import { SelectField } from '../../design/select-field.tsx'
import { ActionDialog } from '../../design/overlays/action-dialog.tsx'
import type { KubeObject } from '../../kube/kube-object.ts'
import { deleteObject, type ObjectTarget } from './object-requests.ts'

const POLICIES = [
  { value: 'Background', label: 'Delete the objects that it owns afterwards' },
  { value: 'Foreground', label: 'Delete the objects that it owns first' },
  { value: 'Orphan', label: 'Keep the objects that it owns' },
] as const

interface DeleteObjectDialogProps extends Pick<ObjectTarget, 'plane' | 'kind'> {
  readonly object: KubeObject
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** Deletes an object of a plane. */
export function DeleteObjectDialog(props: DeleteObjectDialogProps) {
  const { plane, kind, object, isOpen, onClose, onDeleted } = props
  const { name, namespace = '', uid } = object.metadata
  const [propagationPolicy, setPolicy] = useState<'Background' | 'Foreground' | 'Orphan'>(
    'Background',
  )
  const remove = async () => {
    await deleteObject({ plane, kind, namespace, name }, { uid, propagationPolicy })
    notify({ tone: 'good', title: `Deleted ${name}` })
    onDeleted()
  }
  return (
    <ActionDialog
      isOpen={isOpen}
      onClose={onClose}
      title={`Delete ${name}`}
      description="Finalizers can delay the end of the object. A deletion cannot be undone."
      action="Delete"
      isDangerous
      onAct={remove}
    >
      <SelectField
        label="Dependent objects"
        value={propagationPolicy}
        options={POLICIES}
        onChange={setPolicy}
      />
    </ActionDialog>
  )
}
