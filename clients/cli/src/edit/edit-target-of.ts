import { NotFound, PreconditionFailed } from '../../../typescript/src/index.ts'
import type { LocatedObject } from '../objects/located-object.ts'
import type { JsonObject } from '../documents/json-object.ts'
import type { Session } from '../session/session.ts'
import { CliError } from '../errors/cli-error.ts'
import type { EditedVersion, EditTarget } from './edit-target.ts'
import { sameValue } from './same-value.ts'

const EDITABLE = ['labels', 'annotations', 'references', 'spec']

/** Reads and writes a resource for an edit. */
export function editTargetOf(
  { client, signal }: Session,
  { path, label }: LocatedObject,
): EditTarget {
  return {
    label,
    read: async () => {
      const request = { method: 'GET', path, signal, retry: 'always' } as const
      const { body, headers } = await client.request<JsonObject>(request).catch(removed(label))
      return { content: withAllFields(body), version: headers.get('etag') ?? '' }
    },
    write: async (edited, base) => {
      const change = patchRequest(edited, base)
      try {
        await client.request({ ...change, path, signal, retry: 'rejected' })
        return true
      } catch (error) {
        if (error instanceof PreconditionFailed) return false
        throw error
      }
    },
  }
}

/** Labels and annotations are shown even if they are empty, so that users can add some. */
function withAllFields(body: JsonObject): JsonObject {
  const { labels = {}, annotations = {}, references, spec = {} } = body
  return { labels, annotations, ...(references !== undefined && { references }), spec }
}

/** Sends only the fields that the user has changed. */
function patchRequest(edited: JsonObject, { content, version }: EditedVersion) {
  const unknown = Object.keys(edited).find((field) => !EDITABLE.includes(field))
  if (unknown !== undefined) throw new CliError(`${unknown} cannot be changed: remove the field`)
  const changed = EDITABLE.filter((field) => !sameValue(edited[field], content[field]))
  // A removed field means an empty one: labels that the user has deleted as a whole.
  const body = Object.fromEntries(changed.map((field) => [field, edited[field] ?? {}]))
  return { method: 'PATCH', body, headers: { 'If-Match': version } } as const
}

function removed(label: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof NotFound)) throw error
    throw new CliError(`${label} was deleted during the edit`, { exit: 'notFound', cause: error })
  }
}
