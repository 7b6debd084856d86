import { ApiError, type FieldError, PreconditionFailed } from '../../../../typescript/src/index.ts'
import { isEqual } from '../json/is-equal.ts'
import { editableFields, patchOf } from './editable-fields.ts'
import type { JsonObject } from '../yaml/parse-yaml.ts'

/** A version of a resource. */
export interface Version<T> {
  readonly resource: T
  readonly tag: string
}

/** An edit of a version. */
export interface Edit {
  readonly base: JsonObject
  readonly tag: string
  readonly value: JsonObject
}

/** How the edit reaches the server. */
export interface EditTarget<T> {
  readonly read: () => Promise<Version<T>>
  readonly patch: (body: JsonObject, tag: string) => Promise<T>
}

/** The result of an attempt to save. */
export type SaveOutcome<T> =
  | { readonly type: 'saved'; readonly resource: T }
  | { readonly type: 'unchanged' }
  /** Others changed the same resource: merge with their version. */
  | { readonly type: 'conflict'; readonly current: Version<T> }
  | { readonly type: 'invalid'; readonly errors: readonly FieldError[]; readonly error: ApiError }
  | { readonly type: 'failed'; readonly error: unknown }

/** Reports change the version of a resource, but not the fields that an edit changes. */
const MAX_ATTEMPTS = 5

/** Saves an edit unless others have changed the edited fields since. */
export async function saveEdit<T extends object>(
  edit: Edit,
  target: EditTarget<T>,
): Promise<SaveOutcome<T>> {
  const body = patchOf(edit.base, edit.value)
  if (body === null) return { type: 'unchanged' }
  let { tag } = edit
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { type: 'saved', resource: await target.patch(body, tag) }
    } catch (error) {
      if (isInvalid(error)) return { type: 'invalid', errors: error.errors, error }
      if (!(error instanceof PreconditionFailed) && !isLost(error)) return { type: 'failed', error }
      const current = await target.read().catch(() => null)
      if (current === null || attempt === MAX_ATTEMPTS) return { type: 'failed', error }
      const fields = editableFields(current.resource)
      // The response was lost, but the server had saved the edit.
      if (patchOf(fields, edit.value) === null) return { type: 'saved', resource: current.resource }
      if (!isEqual(fields, edit.base)) return { type: 'conflict', current }
      if (isLost(error)) return { type: 'failed', error }
      tag = current.tag
    }
  }
}

function isInvalid(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 400
}

function isLost(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500)
}
