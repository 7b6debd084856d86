import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'
import { timeoutOption } from '../program/timeout-option.ts'

/** The options of `flotilla create`. */
export interface CreateOptions {
  readonly filename?: readonly string[] | undefined
  readonly recursive?: boolean | undefined
  readonly spec?: string | undefined
  readonly set: readonly string[]
  readonly label: readonly string[]
  readonly cluster?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly output?: string | undefined
  readonly wait?: boolean | undefined
  /** Milliseconds. */
  readonly timeout: number
}

/** `flotilla create KIND NAME`, or `flotilla create -f FILE` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('create')
    .description('Creates a resource, or the resources of files. Fails if one exists.')
    .argument('[kind]', 'a kind, such as cluster or nodepool; or KIND/NAME')
    .argument('[name]', 'its name; a node pool is CLUSTER/NAME')
    .option('-f, --filename <files...>', 'files, folders, or - for the standard input')
    .option('-R, --recursive', 'include subfolders')
    .option('--spec <object>', 'the spec, as YAML or JSON')
    .option('--set <path=value...>', 'a field of the spec, such as release.version=4.18', [])
    .option('--label <key=value...>', 'labels', [])
    .option('--cluster <name>', 'the cluster of a node pool')
    .option('--dry-run', 'validate on the server, store nothing')
    .option('-o, --output <format>', 'json, yaml or name')
    .option('--wait', 'wait until it is ready')
    .addOption(timeoutOption('5m', 'how long --wait waits'))
    .addHelpText('after', EXAMPLES)
    .action(
      async (
        kind: string | undefined,
        name: string | undefined,
        options: CreateOptions,
        command: Command,
      ) => {
        const session = await open(command)
        const { create } = await import('../creation/create.ts')
        await create(session, { kind, name }, options)
      },
    )
}

const EXAMPLES = `
Examples:
  flotilla create cluster lisbon --set region=eu --label env=prod --wait
  flotilla create nodepool lisbon/workers --set size=3
  flotilla create -f clusters/
`
