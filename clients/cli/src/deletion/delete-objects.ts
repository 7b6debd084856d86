import { NotFound } from '../../../typescript/src/index.ts'
import type { DeleteOptions } from '../commands/delete.ts'
import { loadDocuments } from '../documents/load-documents.ts'
import { CliError } from '../errors/cli-error.ts'
import { confirm } from '../input/confirm.ts'
import { locateObjects } from '../objects/locate-objects.ts'
import type { LocatedObject } from '../objects/located-object.ts'
import type { Session } from '../session/session.ts'
import { forceDelete } from './force-delete.ts'
import { locateDocuments } from './locate-documents.ts'
import { requestDeletion } from './request-deletion.ts'
import { waitForRemovals } from './wait-for-removals.ts'

const MAX_NAMED = 10
const UNFINISHED =
  'The deletion continues. --no-wait only requests it; --force removes resources without their adapters.'

/** Deletes objects, and waits until they are gone. */
export async function deleteObjects(
  session: Session,
  args: readonly string[],
  options: DeleteOptions,
): Promise<void> {
  const located = await objectsOf(session, args, options)
  if (located.length === 0) {
    session.err.write('No object matches.\n')
    return
  }
  await confirmDeletion(session, located, options)
  const pending: LocatedObject[] = []
  for (const one of located) {
    const isGone = await remove(session, one, options)
    if (isGone || options.dryRun === true || !options.wait) print(session, one, options)
    else pending.push(one)
  }
  await waitForRemovals(session, pending, options.timeout, UNFINISHED)
}

function print({ out }: Session, { label }: LocatedObject, { dryRun, force }: DeleteOptions): void {
  const outcome = dryRun === true || force === true ? 'deleted' : 'deletion requested'
  out.write(`${label} ${outcome}${dryRun === true ? ' (dry run)' : ''}\n`)
}

async function objectsOf(
  session: Session,
  args: readonly string[],
  options: DeleteOptions,
): Promise<readonly LocatedObject[]> {
  const files = options.filename ?? []
  if ((args.length === 0) === (files.length === 0)) {
    throw new CliError('name either objects or files', {
      exit: 'usage',
      hint: "'flotilla delete KIND NAME', or 'flotilla delete -f FILE'.",
    })
  }
  if (args.length > 0) return await locateObjects(session, args, { ...options, verb: 'delete' })
  const documents = await loadDocuments(session, files, options)
  return await locateDocuments(session, documents, options)
}

/** One object that the user has named needs no question. */
async function confirmDeletion(
  session: Session,
  located: readonly LocatedObject[],
  { yes, dryRun, force }: DeleteOptions,
): Promise<void> {
  if (dryRun === true || (located.length === 1 && force !== true)) return
  const names = located.slice(0, MAX_NAMED).map(({ label }) => label)
  const rest = located.length > MAX_NAMED ? ` and ${located.length - MAX_NAMED} more` : ''
  const how = force === true ? 'Remove without their adapters' : 'Delete'
  await confirm(session, `${how}: ${names.join(', ')}${rest}?`, yes === true)
}

/** Returns whether the object is gone already. */
async function remove(
  session: Session,
  located: LocatedObject,
  options: DeleteOptions,
): Promise<boolean> {
  try {
    if (options.force === true) await forceDelete(session, located, options)
    else await requestDeletion(session, located.path, options)
    return options.force === true
  } catch (error) {
    if (error instanceof NotFound) return true
    throw error
  }
}
