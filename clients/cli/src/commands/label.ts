import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla label`. */
export interface LabelOptions {
  readonly overwrite?: boolean | undefined
  readonly selector?: string | undefined
  readonly search?: string | undefined
  readonly all?: boolean | undefined
  readonly cluster?: string | undefined
  readonly dryRun?: boolean | undefined
}

/** `flotilla label KIND NAME KEY=VALUE KEY-` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('label')
    .description('Sets labels with KEY=VALUE, and removes them with KEY-.')
    .argument('<kind>', 'a kind, or KIND/NAME')
    .argument('<names-and-labels...>', 'names, then KEY=VALUE or KEY-')
    .option('--overwrite', 'change labels that exist')
    .option('-l, --selector <labels>', 'all resources with labels, such as env=prod')
    .option('--search <tsl>', 'all resources that match a search')
    .option('--all', 'all resources of the kind')
    .option('--cluster <name>', 'the cluster of node pools')
    .option('--dry-run', 'show the difference; the server validates it and stores nothing')
    .addHelpText('after', EXAMPLES)
    .action(
      async (kind: string, rest: readonly string[], options: LabelOptions, command: Command) => {
        const session = await open(command)
        const { label } = await import('../objects/label.ts')
        await label(session, [kind, ...rest], options)
      },
    )
}

const EXAMPLES = `
Examples:
  flotilla label cluster lisbon porto tier=gold
  flotilla label clusters --search "name like 'eu-%'" region=eu
  flotilla label cluster lisbon tier-
`
