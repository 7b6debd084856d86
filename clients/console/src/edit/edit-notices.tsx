import { Button } from '../design/button.tsx'
import { Icon } from '../design/icon.tsx'
import { TimeAgo } from '../design/time-ago.tsx'
import { ConflictView } from './conflict/conflict-view.tsx'
import css from './edit.module.css'
import { RequestError } from '../design/states/request-error.tsx'
import { editableFields } from './save/editable-fields.ts'
import type { CurrentEdit } from './save/use-edit.ts'
import { parseYaml } from './yaml/parse-yaml.ts'
import { toYaml } from './yaml/to-yaml.ts'

/** What the user should know about the edit: restored, in conflict, or not saved. */
export function EditNotices({ edit }: { readonly edit: CurrentEdit }) {
  const { draft, isRestored, isLost, error, conflict } = edit
  return (
    <>
      {isRestored && conflict === null && (
        <div className={css['notice']} role="status">
          <Icon name="refresh" />
          <div>
            <strong>Your edit is back</strong>
            <p>
              You changed it <TimeAgo time={new Date(draft.savedAt).toISOString()} suffix=" ago" />.
              It has not been saved.
            </p>
          </div>
        </div>
      )}
      {isLost && (
        <div className={`${css['notice']} ${css['warn']}`} role="alert">
          <Icon name="alert" />
          <div>
            <strong>A reload would lose this edit</strong>
            <p>The browser has no space to keep it. Save it before you leave the page.</p>
          </div>
        </div>
      )}
      {conflict !== null && <Conflict edit={edit} />}
      <RequestError error={error} />
    </>
  )
}

function Conflict({ edit }: { readonly edit: CurrentEdit }) {
  const { draft, conflict, resolve } = edit
  if (conflict === null) return null
  const { resource } = conflict
  const canMerge = parseYaml(draft.text).value !== null
  return (
    <div className={`${css['notice']} ${css['warn']}`} role="alert">
      <Icon name="alert" />
      <div>
        <strong>{resource.updated_by} has changed this resource meanwhile</strong>
        <p>Your edit is not saved and not lost. Combine it with the current version:</p>
        <div className={css['merge']}>
          {canMerge ? (
            <ConflictView
              base={toYaml(draft.base)}
              mine={draft.text}
              theirs={toYaml(editableFields(resource))}
              onResolve={resolve}
            />
          ) : (
            <p>The YAML has errors. Correct them first.</p>
          )}
          {resource.deleted_time !== undefined && (
            <p>The resource is being deleted, so it can no longer change.</p>
          )}
          <div className={css['buttons']}>
            <Button size="small" onClick={() => resolve(toYaml(editableFields(resource)))}>
              Discard my edit and use the current version
            </Button>
          </div>
        </div>
      </div>
    </div>
  )
}
