import type { View } from '../../../typescript/src/generated/hyperfleet.ts'
import { isEqual } from '../edit/json/is-equal.ts'
import { editableFields } from '../edit/save/editable-fields.ts'
import { type EditTarget, saveEdit } from '../edit/save/save-edit.ts'

interface ViewChange {
  /** The version that the change is based on. */
  readonly base: View
  readonly spec: View['spec']
  /** Receives the version of others. */
  readonly onConflict: (current: View) => void
}

/** Changes the spec of a view. Fails if others have changed the view since. */
export async function changeView(
  { base, spec, onConflict }: ViewChange,
  target: EditTarget<View>,
): Promise<View> {
  const fields = editableFields(base)
  // The view was read without its entity tag.
  const { resource, tag } = await target.read()
  const outcome = isEqual(editableFields(resource), fields)
    ? await saveEdit({ base: fields, tag, value: { ...fields, spec: { ...spec } } }, target)
    : ({ type: 'conflict', current: { resource, tag } } as const)
  switch (outcome.type) {
    case 'saved':
      return outcome.resource
    case 'unchanged':
      return resource
    case 'conflict':
      onConflict(outcome.current.resource)
      throw new Error(`Others have changed ${base.name}: save again to replace their version`)
    default:
      throw outcome.error
  }
}
