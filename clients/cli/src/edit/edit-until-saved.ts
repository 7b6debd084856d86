import { ApiError } from '../../../typescript/src/index.ts'
import { diffLines } from '../diff/diff-lines.ts'
import type { JsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { editBuffer, withNotes } from './edit-buffer.ts'
import type { EditFile } from './edit-file.ts'
import type { EditedVersion, EditTarget } from './edit-target.ts'
import { mergeEdits } from './merge-edits.ts'
import { readEdit } from './read-edit.ts'
import { runEditor } from './run-editor.ts'
import { sameValue } from './same-value.ts'

/** The notes at the beginning of every edit. */
export const INTRODUCTION = (label: string) => [
  `Edit ${label}. Lines that begin with #: are notes, which are not saved.`,
  'Leave the text as it is, or delete all of it, to cancel.',
]

interface Edit {
  readonly target: EditTarget
  readonly file: EditFile
  /** The version that the file contains. */
  readonly base: EditedVersion
}

export interface SavedChange {
  readonly before: JsonObject
  readonly after: JsonObject
}

/**
 * Opens the editor until the server accepts the edit. Null if the user cancels. Rejects if the user
 * saves a rejected edit again without a change.
 */
export async function editUntilSaved(session: Session, edit: Edit): Promise<SavedChange | null> {
  const { target, file } = edit
  let { base } = edit
  let last: Step['type'] | null = null
  for (;;) {
    const [before, writtenAt] = await Promise.all([file.read(), file.writtenAt()])
    await runEditor(file.path, session.env)
    const text = await file.read()
    if (last === 'rejected' && text === before) {
      throw new CliError(`${target.label} was not changed: the text still has the problem`)
    }
    if (last === 'conflict' && writtenAt === (await file.writtenAt())) {
      throw new CliError(`${target.label} was not changed: you left the editor without saving`)
    }
    const saved = readEdit(text)
    if (saved.type === 'empty') return null
    if (saved.type === 'object' && sameValue(saved.content, base.content)) return null
    const step =
      saved.type === 'object'
        ? await save(session, target, { edited: saved.content, base })
        : { type: 'rejected' as const, notes: [saved.problem] }
    if (step.type === 'saved') return { before: step.base.content, after: step.edited }
    last = step.type
    const notes = [...step.notes, '', ...INTRODUCTION(target.label)]
    if (step.type === 'rejected') await file.write(withNotes(text, notes))
    else {
      base = step.base
      await file.write(editBuffer(step.merged, notes))
    }
  }
}

interface Attempt {
  readonly edited: JsonObject
  readonly base: EditedVersion
}

type Step =
  | ({ readonly type: 'saved' } & Attempt)
  | { readonly type: 'rejected'; readonly notes: readonly string[] }
  | {
      readonly type: 'conflict'
      readonly base: EditedVersion
      readonly merged: JsonObject
      readonly notes: readonly string[]
    }

/** Writes an edit. If the object has changed since, the edit is applied to its current version. */
async function save(session: Session, target: EditTarget, attempt: Attempt): Promise<Step> {
  let { edited, base } = attempt
  for (;;) {
    const isWritten = await target.write(edited, base).catch(notesOf)
    if (isWritten === true) return { type: 'saved', edited, base }
    if (isWritten !== false) return { type: 'rejected', notes: isWritten }
    const theirs = await target.read()
    const changes = diffLines({ before: base.content, after: theirs.content }, PLAIN)
    const { merged, conflicts } = mergeEdits({
      base: base.content,
      mine: edited,
      theirs: theirs.content,
    })
    if (conflicts.length > 0) {
      return {
        type: 'conflict',
        base: theirs,
        merged,
        notes: conflictNotes(target, conflicts, changes),
      }
    }
    session.err.write(`${target.label} has changed during your edit, in other fields:\n`)
    for (const line of changes) session.err.write(`${line}\n`)
    edited = merged
    base = theirs
  }
}

function conflictNotes(
  { label }: EditTarget,
  conflicts: readonly string[],
  changes: readonly string[],
): readonly string[] {
  return [
    `${label} has changed during your edit. You both changed: ${conflicts.join(', ')}.`,
    'The text has your values. Save it to keep them. These are the changes of the others:',
    ...changes,
  ]
}

/** The reasons why the server rejected an edit. Other failures end the edit. */
function notesOf(error: unknown): readonly string[] {
  if (error instanceof CliError) return [`Error: ${error.message}`]
  if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) throw error
  const details = error.errors.map(({ field, message }) => `  ${field}: ${message}`)
  return [`Error: ${error.message}`, ...details]
}

const same = (text: string | number | null | undefined) => String(text)
const PLAIN = { red: same, green: same, cyan: same }
