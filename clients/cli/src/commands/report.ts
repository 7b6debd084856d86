import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla report`. */
export interface ReportOptions {
  readonly adapter: string
  readonly available: string
  readonly reason?: string | undefined
  readonly message?: string | undefined
  readonly applied?: string | undefined
  readonly health?: string | undefined
  readonly finalized?: boolean | undefined
  readonly condition: readonly string[]
  readonly generation?: string | undefined
  readonly data?: string | undefined
  readonly cluster?: string | undefined
  readonly output?: string | undefined
}

const STATUSES = ['True', 'False', 'Unknown']

/** `flotilla report KIND NAME --adapter NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('report')
    .description('Posts a report on a resource, as an adapter would.')
    .argument('<kind>', 'a kind, or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .requiredOption('--adapter <name>', 'the adapter that reports')
    .addOption(
      new Option('--available <status>', 'the result of its work')
        .choices(STATUSES)
        .default('True'),
    )
    .option('--reason <word>', 'the reason of Available')
    .option('--message <text>', 'the message of Available')
    .addOption(new Option('--applied <status>', 'default: True if Available is').choices(STATUSES))
    .addOption(new Option('--health <status>', 'default: True').choices(STATUSES))
    .option('--finalized', 'everything external is removed, so that a deletion can complete')
    .option('--condition <type=status...>', 'more conditions', [])
    .option('--generation <number>', 'the observed generation (default: the current one)')
    .option('--data <object>', 'details for other tools, as YAML or JSON')
    .option('--cluster <name>', 'the cluster of a node pool')
    .option('-o, --output <format>', 'json or yaml')
    .addHelpText('after', EXAMPLES)
    .action(
      async (kind: string, name: string | undefined, options: ReportOptions, command: Command) => {
        const session = await open(command)
        const { report } = await import('../objects/report.ts')
        await report(session, [kind, ...(name === undefined ? [] : [name])], options)
      },
    )
}

const EXAMPLES = `
Examples:
  flotilla report cluster lisbon --adapter dns
  flotilla report cluster lisbon --adapter dns --available False --reason QuotaExceeded
  flotilla report cluster lisbon --adapter dns --available False --finalized
`
