import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'
import { timeoutOption } from '../program/timeout-option.ts'

/** The options of `flotilla delete`. */
export interface DeleteOptions {
  readonly filename?: readonly string[] | undefined
  readonly recursive?: boolean | undefined
  readonly selector?: string | undefined
  readonly search?: string | undefined
  readonly all?: boolean | undefined
  readonly cluster?: string | undefined
  readonly namespace?: string | undefined
  readonly wait: boolean
  /** Milliseconds. */
  readonly timeout: number
  readonly force?: boolean | undefined
  readonly reason?: string | undefined
  readonly cascade: 'background' | 'foreground' | 'orphan'
  readonly yes?: boolean | undefined
  readonly dryRun?: boolean | undefined
}

/** `flotilla delete KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('delete')
    .description('Deletes objects, and waits until they are gone.')
    .argument('[kind]', 'a kind, or KIND/NAME')
    .argument('[names...]', 'names or IDs; a node pool is CLUSTER/NAME')
    .option(
      '-f, --filename <files...>',
      'the objects of files, folders, or - for the standard input',
    )
    .option('-R, --recursive', 'include subfolders')
    .option('-l, --selector <labels>', 'all objects with labels, such as env=prod')
    .option('--search <tsl>', 'all objects that match a search')
    .option('--all', 'all objects of the kind')
    .option('--cluster <name>', 'the cluster of node pools or of a plane')
    .option('-n, --namespace <name>', 'the namespace of objects of a plane')
    .option('--no-wait', 'only request the deletion')
    .addOption(timeoutOption('10m'))
    .option('--force', 'remove resources without their adapters; what these created is left behind')
    .option('--reason <text>', 'why the deletion is forced, for the record')
    .addOption(
      new Option('--cascade <policy>', 'what happens to the dependents of objects of a plane')
        .choices(['background', 'foreground', 'orphan'])
        .default('background'),
    )
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
        const { deleteObjects } = await import('../deletion/delete-objects.ts')
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
