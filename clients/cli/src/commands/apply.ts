import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'
import { timeoutOption } from '../program/timeout-option.ts'

/** The options of `flotilla apply`. */
export interface ApplyOptions {
  readonly filename: readonly string[]
  readonly recursive?: boolean | undefined
  readonly cluster?: string | undefined
  readonly namespace: string
  readonly dryRun?: boolean | undefined
  readonly output?: string | undefined
  readonly yes?: boolean | undefined
  readonly wait?: boolean | undefined
  /** Milliseconds. */
  readonly timeout: number
  readonly forceConflicts?: boolean | undefined
}

/** `flotilla apply -f FILE` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('apply')
    .description('Creates or changes the objects of files, and shows the difference first.')
    .requiredOption('-f, --filename <files...>', 'files, folders, or - for the standard input')
    .option('-R, --recursive', 'include subfolders')
    .option(
      '--cluster <name>',
      'the cluster of node pools, or of the plane for objects with an apiVersion',
    )
    .option('-n, --namespace <name>', 'the namespace of objects that name none', 'default')
    .option('--dry-run', 'show the difference; the server validates it and stores nothing')
    .option('-o, --output <format>', 'json, yaml or name')
    .option('-y, --yes', 'do not ask before fields are removed')
    .option('--wait', 'wait until the objects are ready')
    .addOption(timeoutOption('5m', 'how long --wait waits'))
    .option('--force-conflicts', 'take over fields that other programs own')
    .addHelpText('after', EXAMPLES)
    .action(async (options: ApplyOptions, command: Command) => {
      const session = await open(command)
      const { apply } = await import('../apply/apply.ts')
      await apply(session, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla apply -f cluster.yaml --wait
  flotilla apply -f clusters/ --dry-run
  flotilla get cluster lisbon -o yaml | flotilla apply -f -
  flotilla apply -f settings.yaml --cluster lisbon
`
