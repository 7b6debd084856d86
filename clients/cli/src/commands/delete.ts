import type { Command } from 'commander'
import { NotFound } from '../../../typescript/src/index.ts'
import { forceDelete } from '../deletion/force-delete.ts'
import { locateDocuments } from '../deletion/locate-documents.ts'
import { requestDeletion } from '../deletion/request-deletion.ts'
import { waitForRemovals } from '../deletion/wait-for-removals.ts'
import { loadDocuments } from '../documents/load-documents.ts'
import { CliError } from '../errors/cli-error.ts'
import { confirm } from '../input/confirm.ts'
import { locateObjects } from '../objects/locate-objects.ts'
import type { LocatedObject } from '../objects/located-object.ts'
import type { OpenSession } from '../program/register.ts'
import { timeoutOption } from '../program/timeout-option.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla delete`. */
interface DeleteOptions {
  readonly filename?: readonly string[] | undefined
  readonly recursive?: boolean | undefined
  readonly selector?: string | undefined
  readonly search?: string | undefined
  readonly all?: boolean | undefined
  readonly cluster?: string | undefined
  readonly wait: boolean
  /** Milliseconds. */
  readonly timeout: number
  readonly force?: boolean | undefined
  readonly reason?: string | undefined
  readonly yes?: boolean | undefined
  readonly dryRun?: boolean | undefined
}

/** `flotilla delete KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('delete')
    .description('Deletes resources, and waits until they are gone.')
    .argument('[kind]', 'a kind, or KIND/NAME')
    .argument('[names...]', 'names or IDs; a node pool is CLUSTER/NAME')
    .option(
      '-f, --filename <files...>',
      'the resources of files, folders, or - for the standard input',
    )
    .option('-R, --recursive', 'include subfolders')
    .option('-l, --selector <labels>', 'all resources with labels, such as env=prod')
    .option('--search <tsl>', 'all resources that match a search')
    .option('--all', 'all resources of the kind')
    .option('--cluster <name>', 'the cluster of node pools')
    .option('--no-wait', 'only request the deletion')
    .addOption(timeoutOption('10m'))
    .option('--force', 'remove resources without their adapters; what these created is left behind')
    .option('--reason <text>', 'why the deletion is forced, for the record')
    .option('-y, --yes', 'do not ask')
    .option('--dry-run', 'show what would be deleted')
    .addHelpText('after', EXAMPLES)
    .action(
      async (
        kind: string | undefined,
        names: readonly string[],
        options: DeleteOptions,
        command: Command,
      ) => {
        const session = await open(command)
        await deleteObjects(session, kind === undefined ? [] : [kind, ...names], options)
      },
    )
}

const EXAMPLES = `
Examples:
  flotilla delete cluster lisbon
  flotilla delete clusters -l env=test --no-wait
  flotilla delete cluster lisbon --force --reason 'the region is gone'
`

const MAX_NAMED = 10
const UNFINISHED =
  'The deletion continues. --no-wait only requests it; --force removes resources without their adapters.'

/** Deletes objects, and waits until they are gone. */
async function deleteObjects(
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
  await waitForRemovals(session, pending, { timeoutMs: options.timeout, hint: UNFINISHED })
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
