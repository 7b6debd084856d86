import { type ReactNode, useState } from 'react'
import type { UnknownObject } from '../../../../typescript/src/http/json.ts'
import { Button } from '../../design/button.tsx'
import { notify } from '../../design/overlays/notify.ts'
import { Panel } from '../../design/panel.tsx'
import { ConflictView } from '../../edit/conflict/conflict-view.tsx'
import { useDraft } from '../../edit/drafts/use-draft.ts'
import { parseYaml } from '../../edit/yaml/parse-yaml.ts'
import { toYaml } from '../../edit/yaml/to-yaml.ts'
import { YamlEditor } from '../../edit/yaml-editor.tsx'
import { editableObject } from '../../kube/editable-object.ts'
import type { KubeObject } from '../../kube/kube-object.ts'
import { RequestError } from '../../design/states/request-error.tsx'
import css from './object-page.module.css'
import { type ObjectTarget, updateObject, validateUpdate } from './object-requests.ts'
import { isSecret, withBase64, withText } from './secret-text.ts'
import { useValidation } from './use-validation.ts'

/** The object, and what the caller may do with it. */
export interface ObjectEditorProps extends Pick<ObjectTarget, 'plane' | 'kind'> {
  /** The current version, which follows the server. */
  readonly object: KubeObject
  readonly isReadOnly: boolean
  /** Why the caller may not edit the object; null if it may. */
  readonly denied: string | null
  /** The content while nothing is edited and the user has not asked for the YAML. */
  readonly cover?: ReactNode
}

/**
 * The YAML of an object. Without an edit it follows the server. An edit survives a reload, and
 * concurrent changes are merged with it.
 */
export function ObjectEditor({ plane, kind, object, denied, cover, ...props }: ObjectEditorProps) {
  const isReadOnly = props.isReadOnly || denied !== null
  const { name, namespace = '', uid = '', resourceVersion = '' } = object.metadata
  const target = { plane, kind, namespace, name }
  const current = { ...object }
  const currentText = shownText(kind, current)
  const key = ['plane', plane, kind.group, kind.plural, namespace, name, uid].join('/')
  const start = () => ({ text: currentText, tag: resourceVersion, base: current, savedAt: 0 })
  const { draft, change, forget, isRestored, isLost } = useDraft(key, start)
  const baseText = shownText(kind, draft.base)
  const isEdited = draft.savedAt > 0 && draft.text !== baseText
  const text = isEdited ? draft.text : currentText
  const [theirs, setTheirs] = useState<UnknownObject | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isSaving, setSaving] = useState(false)
  const problems = useValidation(isEdited ? text : null, (edited, signal) =>
    validateUpdate(target, storedForm(kind, edited), signal),
  )
  const discard = () => {
    forget()
    setError(null)
    setTheirs(null)
    change({ ...start() })
  }
  const save = async () => {
    const { value } = parseYaml(text)
    if (value === null || !isEdited || isSaving) return
    setSaving(true)
    setError(null)
    try {
      const result = await updateObject(target, storedForm(kind, value), draft.base)
      setTheirs(result.theirs)
      if (result.saved === null) return
      change({ text: shownText(kind, result.saved), base: result.saved })
      forget()
      notify({ tone: 'good', title: `Saved ${name}` })
    } catch (failure) {
      setError(failure)
    } finally {
      setSaving(false)
    }
  }
  const edit = (next: string) =>
    change(isEdited ? { text: next } : { text: next, base: current, tag: resourceVersion })
  if (cover !== undefined && !isEdited) return cover
  return (
    <Panel title="YAML" note={denied ?? noteOf({ isReadOnly, isEdited, isRestored })}>
      <div className={css['padded']}>
        {theirs !== null && (
          <ConflictView
            base={baseText}
            mine={text}
            theirs={shownText(kind, theirs)}
            onResolve={(merged) => {
              change({ text: merged, base: theirs })
              setTheirs(null)
            }}
          />
        )}
        <YamlEditor
          label={`YAML of ${name}`}
          value={text}
          onChange={edit}
          onSave={() => void save()}
          isReadOnly={isReadOnly}
          problems={problems}
        />
        <RequestError error={error} />
        {isLost && (
          <p className={css['note']}>The browser cannot keep this edit across a reload.</p>
        )}
        {!isReadOnly && (
          <div className={css['buttons']}>
            <Button
              variant="primary"
              disabled={!isEdited || isSaving || theirs !== null}
              onClick={() => void save()}
            >
              {isSaving ? 'Saving…' : 'Save'}
            </Button>
            <Button disabled={!isEdited || isSaving} onClick={discard}>
              Discard
            </Button>
          </div>
        )}
      </div>
    </Panel>
  )
}

/** The text of an object in the editor. Values of secrets are text. */
function shownText(kind: ObjectTarget['kind'], object: UnknownObject): string {
  const editable = editableObject(object)
  return toYaml(isSecret(kind) ? withText(editable) : editable)
}

/** The object of an edited text. */
function storedForm(kind: ObjectTarget['kind'], edited: UnknownObject): UnknownObject {
  return isSecret(kind) ? withBase64(edited) : edited
}

interface EditState {
  readonly isReadOnly: boolean
  readonly isEdited: boolean
  readonly isRestored: boolean
}

function noteOf({ isReadOnly, isEdited, isRestored }: EditState): string {
  if (isReadOnly) return 'Read only'
  if (!isEdited) return 'Follows the server'
  return isRestored ? 'Unsaved edit, restored' : 'Unsaved edit'
}
