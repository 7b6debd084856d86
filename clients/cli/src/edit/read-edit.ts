import { parseDocument } from 'yaml'
import { inexactNumber } from '../documents/inexact-number.ts'
import { isJsonObject, type JsonObject } from '../documents/json-object.ts'
import { withoutNotes } from './edit-buffer.ts'

/** A saved text: an object, nothing, or a text that cannot be read. */
export type SavedEdit =
  | { readonly type: 'object'; readonly content: JsonObject }
  | { readonly type: 'empty' }
  | { readonly type: 'invalid'; readonly problem: string }

/** Reads the text of an editor. */
export function readEdit(text: string): SavedEdit {
  const document = parseDocument(withoutNotes(text))
  const [error] = document.errors
  if (error !== undefined)
    return { type: 'invalid', problem: `This is not valid YAML: ${error.message}` }
  const content: unknown = document.toJS()
  if (content === null || content === undefined) return { type: 'empty' }
  if (!isJsonObject(content)) return { type: 'invalid', problem: 'This is not an object.' }
  const inexact = inexactNumber(content)
  if (inexact === null) return { type: 'object', content }
  return { type: 'invalid', problem: `JSON cannot store the number ${inexact} exactly: quote it.` }
}
