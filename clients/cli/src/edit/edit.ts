import type { EditOptions } from '../commands/edit.ts'
import { diffLines } from '../diff/diff-lines.ts'
import { CliError } from '../errors/cli-error.ts'
import { locateObjects } from '../objects/locate-objects.ts'
import type { Session } from '../session/session.ts'
import { editBuffer } from './edit-buffer.ts'
import { createEditFile } from './edit-file.ts'
import { editTargetOf } from './edit-target-of.ts'
import { editUntilSaved, INTRODUCTION } from './edit-until-saved.ts'

/** Edits an object in the user's editor. */
export async function edit(
  session: Session,
  args: readonly string[],
  options: EditOptions,
): Promise<void> {
  const [located, ...others] = await locateObjects(session, args, { ...options, verb: 'edit' })
  if (located === undefined || others.length > 0) return
  const target = editTargetOf(session, located)
  const base = await target.read()
  const file = await createEditFile(target.label)
  await file.write(editBuffer(base.content, INTRODUCTION(target.label)))
  try {
    const saved = await editUntilSaved(session, { target, file, base })
    await file.remove()
    for (const line of saved === null
      ? []
      : diffLines(saved.before, saved.after, session.out.colors)) {
      session.out.write(`${line}\n`)
    }
    session.out.write(saved === null ? `${target.label} unchanged\n` : `${target.label} updated\n`)
  } catch (error) {
    const { message } = error instanceof Error ? error : { message: String(error) }
    throw new CliError(message, {
      cause: error,
      hint: `Your edit is in ${file.path}.`,
      exit: session.signal.aborted ? 'interrupted' : 'refused',
    })
  }
}
