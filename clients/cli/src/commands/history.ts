import { type Command, Option } from 'commander'
import { count } from '../program/count.ts'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla history`. */
export interface HistoryOptions {
  readonly output?: string | undefined
  readonly cluster?: string | undefined
  readonly limit: number
}

const DEFAULT_LIMIT = 50

/** `flotilla history KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('history')
    .description('Shows what happened to a resource: when, who, and each changed value.')
    .argument('<kind>', 'a kind of the HyperFleet API, such as cluster; or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME; removed resources have IDs')
    .option('-o, --output <format>', "json, yaml or jsonpath='{.path}'")
    .option('--cluster <name>', 'the cluster of a node pool')
    .addOption(
      new Option('--limit <number>', 'how many entries, newest first')
        .argParser(count)
        .default(DEFAULT_LIMIT),
    )
    .action(
      async (kind: string, name: string | undefined, options: HistoryOptions, command: Command) => {
        const session = await open(command)
        const { history } = await import('../history/history.ts')
        await history(session, { kind, name }, options)
      },
    )
}
