import type { Command } from 'commander'
import { diffLines } from '../diff/diff-lines.ts'
import { editBuffer } from '../edit/edit-buffer.ts'
import { createEditFile } from '../edit/edit-file.ts'
import { editTargetOf } from '../edit/edit-target-of.ts'
import { editUntilSaved, INTRODUCTION } from '../edit/edit-until-saved.ts'
import { CliError } from '../errors/cli-error.ts'
import { locateObjects } from '../objects/locate-objects.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla edit`. */
interface EditOptions {
  readonly cluster?: string | undefined
}

/** `flotilla edit KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('edit')
    .description('Opens a resource in your editor ($VISUAL or $EDITOR), and saves what you change.')
    .argument('<kind>', 'a kind, or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .option('--cluster <name>', 'the cluster of a node pool')
    .action(
      async (kind: string, name: string | undefined, options: EditOptions, command: Command) => {
        const session = await open(command)
        await edit(session, [kind, ...(name === undefined ? [] : [name])], options)
      },
    )
}

/** Edits an object in the user's editor. */
async function edit(
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
    for (const line of saved === null ? [] : diffLines(saved, session.out.colors)) {
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
