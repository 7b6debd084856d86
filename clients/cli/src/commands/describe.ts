import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla describe`. */
export interface DescribeOptions {
  readonly cluster?: string | undefined
}

/** `flotilla describe KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('describe')
    .description('Shows everything about one resource.')
    .argument('<kind>', 'a kind, such as cluster or nodepool; or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .addOption(new Option('--cluster <name>', 'the cluster of a node pool'))
    .action(
      async (
        kind: string,
        name: string | undefined,
        options: DescribeOptions,
        command: Command,
      ) => {
        const session = await open(command)
        const { describe } = await import('../describe/describe.ts')
        await describe(session, { kind, name }, options)
      },
    )
}
