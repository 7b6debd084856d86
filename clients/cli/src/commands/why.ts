import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla why`. */
export interface WhyOptions {
  readonly output?: string | undefined
  readonly cluster?: string | undefined
}

/** `flotilla why KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('why')
    .description('Explains in one sentence why a resource is not ready.')
    .argument('<kind>', 'a kind, such as cluster or nodepool; or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .addOption(new Option('-o, --output <format>', 'json or yaml: the state of each adapter'))
    .addOption(new Option('--cluster <name>', 'the cluster of a node pool'))
    .action(
      async (kind: string, name: string | undefined, options: WhyOptions, command: Command) => {
        const session = await open(command)
        const { why } = await import('../why/why.ts')
        await why(session, { kind, name }, options)
      },
    )
}
