import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { View } from '../../../typescript/src/generated/hyperfleet.ts'
import { ActionDialog } from '../design/overlays/action-dialog.tsx'
import { notify } from '../design/overlays/notify.ts'
import { TextField } from '../design/text-field.tsx'
import { parseCount } from '../fleets/parse-count.ts'
import type { ListSearch } from '../resources/list-search.ts'
import { changeView } from './change-view.ts'
import { client } from '../session/connection.ts'
import { specOf } from './view.ts'
import { viewQuery, viewTarget } from './views-query.ts'

interface SaveViewDialogProps {
  /** The kind of the list. */
  readonly kind: string
  readonly list: ListSearch
  /** The version of the view that was opened; undefined for a list without one. */
  readonly view: View | undefined
  readonly onClose: () => void
  readonly onSaved: (view: View) => void
}

/** Saves a list as a view, or changes the view that is open. */
export function SaveViewDialog({ kind, list, view, onClose, onSaved }: SaveViewDialogProps) {
  const queries = useQueryClient()
  /** The version that the input is based on. */
  const [base, setBase] = useState(view)
  const alert = base?.spec.alert
  const [name, setName] = useState(base?.name ?? '')
  const [limit, setLimit] = useState(alert === undefined ? '' : String(alert.more_than))
  const [minutes, setMinutes] = useState(String(alert?.for_minutes ?? 5))
  const most = limit === '' ? null : parseCount(limit)
  const duration = parseCount(minutes)
  const isValid = (most === null || most.count !== null) && duration.count !== null
  const save = async () => {
    const rule =
      most === null || most.count === null || duration.count === null
        ? null
        : { more_than: most.count, for_minutes: duration.count }
    const spec = specOf(kind, list, rule)
    const isSame = base !== undefined && name === base.name
    const saved = isSame
      ? await changeView({ base, spec, onConflict: setBase }, viewTarget(base))
      : await client.views.create({ name, spec })
    queries.setQueryData(viewQuery(name).queryKey, saved)
    await queries.invalidateQueries({ queryKey: ['views'] })
    notify({ tone: 'good', title: isSame ? `${name} is changed` : `${name} is saved` })
    onSaved(saved)
  }
  return (
    <ActionDialog
      isOpen
      onClose={onClose}
      title="Save this list as a view"
      description="The server keeps the search, the order and the columns. Others open it by its name."
      action="Save view"
      isDisabled={name === '' || !isValid}
      onAct={save}
    >
      <TextField
        label="Name"
        value={name}
        onChange={setName}
        hint={
          base === undefined
            ? 'Lower-case letters, digits and dashes.'
            : `Another name saves another view than ${base.name}.`
        }
        autoComplete="off"
        required
      />
      <TextField
        label="Alert if more than"
        value={limit}
        onChange={setLimit}
        inputMode="numeric"
        hint="Optional. The number of resources in the list that is still accepted."
        error={most?.problem}
        autoComplete="off"
      />
      <TextField
        label="For minutes"
        value={minutes}
        onChange={setMinutes}
        inputMode="numeric"
        hint="How long the list must be too long before the alert fires."
        error={duration.problem}
        autoComplete="off"
      />
    </ActionDialog>
  )
}
