import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { type FieldError, Invalid, type ParentPath } from '../../../../typescript/src/index.ts'
import { randomKey } from '../../../../typescript/src/http/random-key.ts'
import { notify } from '../../design/overlays/notify.ts'
import type { KindResource } from '../../resource/data/kind-resource.ts'
import { client } from '../../session/connection.ts'
import { useDraft } from '../drafts/use-draft.ts'
import { type CreateRequest, EMPTY_TEXT } from './create-draft.ts'

/** The kind and the parent of a new resource. */
export interface CreateTarget {
  readonly plural: string
  readonly parent: ParentPath | undefined
}

/** The state of the creation of a resource, from its first field until it exists. */
export function useCreate({ plural, parent }: CreateTarget) {
  const navigate = useNavigate()
  const { draft, change, forget, isRestored } = useDraft(`${plural}/new`, () => ({
    text: EMPTY_TEXT,
    tag: '',
    base: {},
    savedAt: 0,
  }))
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const [errors, setErrors] = useState<readonly FieldError[] | null>(null)
  const attempt = useRef({ content: '', key: '' })
  /** A repeated attempt has the same key, so that a lost response does not create two resources. */
  const keyOf = (request: CreateRequest) => {
    const content = JSON.stringify([request, parent])
    if (attempt.current.content !== content) attempt.current = { content, key: randomKey() }
    return attempt.current.key
  }
  const create = async (request: CreateRequest) => {
    setBusy(true)
    setError(null)
    setErrors(null)
    try {
      const created = await client
        .collection<KindResource>(plural)
        .create({ ...request, parent }, { idempotencyKey: keyOf(request) })
      forget()
      notify({ tone: 'good', title: `${created.name} is created` })
      await navigate({ to: '/resources/$plural/$id', params: { plural, id: created.id } })
    } catch (failure) {
      if (failure instanceof Invalid && failure.errors.length > 0) setErrors(failure.errors)
      else setError(failure)
      setBusy(false)
    }
  }
  return {
    text: draft.text,
    isRestored,
    isBusy,
    error,
    errors,
    create,
    write: (text: string) => {
      setErrors(null)
      change({ text })
    },
    discard: () => {
      forget()
      void navigate({ to: '/resources/$plural', params: { plural } })
    },
  }
}
