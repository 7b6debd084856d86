import type { Command } from 'commander'
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
