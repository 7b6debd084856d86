import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { FieldError, Tagged } from '../../../../typescript/src/index.ts'
import { notify } from '../../design/overlays/notify.ts'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { resourceQuery } from '../../resource/data/resource-query.ts'
import { client } from '../../session/connection.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { useDraft } from '../drafts/use-draft.ts'
import { isEqual } from '../json/is-equal.ts'
import { type JsonObject, parseYaml } from '../yaml/parse-yaml.ts'
import { toYaml } from '../yaml/to-yaml.ts'
import { editableFields } from './editable-fields.ts'
import { saveEdit, type Version } from './save-edit.ts'

/** An edit in progress. */
export interface CurrentEdit {
  readonly draft: Draft
  readonly isRestored: boolean
  /** Whether the browser cannot keep the edit across a reload. */
  readonly isLost: boolean
  readonly isBusy: boolean
  readonly error: unknown
  /** The violations of the last attempt to save; null after a change. */
  readonly errors: readonly FieldError[] | null
  /** The version of others that the edit conflicts with. */
  readonly conflict: Version<KindResource> | null
  readonly write: (text: string) => void
  readonly save: (value: JsonObject | null) => Promise<void>
  /** Continues with a merged text, based on the version of others. */
  readonly resolve: (text: string) => void
  /** Forgets the edit and returns to the page of the resource. */
  readonly discard: () => void
}

/** The state of the edit of a resource, from its first change until it is saved. */
export function useEdit(plural: string, version: Tagged<KindResource>): CurrentEdit {
  const { id, name } = version.resource
  const queries = useQueryClient()
  const navigate = useNavigate()
  const kept = useDraft(`${plural}/${id}`, () => draftOf(version))
  const { draft, change, forget, isRestored, isLost } = kept
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [errors, setErrors] = useState<readonly FieldError[] | null>(null)
  const [conflict, setConflict] = useState<Version<KindResource> | null>(() =>
    isRestored && isOutdated(draft, version) ? version : null,
  )
  const leave = () => void navigate({ to: '/resources/$plural/$id', params: { plural, id } })
  const save = async (value: JsonObject | null) => {
    if (value === null || isBusy || conflict !== null) return
    setBusy(true)
    setError(null)
    const collection = client.collection<KindResource>(plural)
    const outcome = await saveEdit(
      { base: draft.base, tag: draft.tag, value },
      {
        read: () => collection.getWithTag(id),
        patch: (body, ifMatch) => collection.patch(id, body, { ifMatch }),
      },
    )
    setBusy(false)
    if (outcome.type === 'conflict') setConflict(outcome.current)
    else if (outcome.type === 'failed') setError(outcome.error)
    else if (outcome.type === 'invalid') {
      setErrors(outcome.errors)
      if (outcome.errors.length === 0) setError(outcome.error)
    } else {
      forget()
      if (outcome.type === 'saved') {
        const { resource } = outcome
        const { queryKey } = resourceQuery(plural, id)
        queries.setQueryData(queryKey, (state) => state && { ...state, resource })
        notify({ tone: 'good', title: `${name} is saved` })
      }
      leave()
    }
  }
  return {
    draft,
    isRestored,
    isLost,
    isBusy,
    error,
    errors,
    conflict,
    write: (text) => {
      setErrors(null)
      change({ text })
    },
    save,
    resolve: (text) => {
      if (conflict === null) return
      change({ text, tag: conflict.tag, base: editableFields(conflict.resource) })
      setConflict(null)
    },
    discard: () => {
      forget()
      leave()
    },
  }
}

function draftOf({ resource, tag }: Tagged<KindResource>): Draft {
  const base = editableFields(resource)
  return { text: toYaml(base), tag, base, savedAt: 0 }
}

/** Whether others have changed the fields since the edit started. */
function isOutdated({ base, text }: Draft, { resource }: Tagged<KindResource>): boolean {
  const current = editableFields(resource)
  return !isEqual(base, current) && !isEqual(parseYaml(text).value, current)
}
