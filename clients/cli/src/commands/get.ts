import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla get`. */
export interface GetOptions {
  readonly output?: string | undefined
  readonly selector?: string | undefined
  readonly search?: string | undefined
  readonly sort?: string | undefined
  readonly cluster?: string | undefined
  readonly watch?: boolean | undefined
  readonly headers: boolean
}

/** `flotilla get KIND [NAME]` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('get')
    .description('Lists resources, or shows one.')
    .argument('<kind>', 'a kind, such as clusters or nodepools; or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .addOption(new Option('-o, --output <format>', "wide, json, yaml, name or jsonpath='{.path}'"))
    .addOption(
      new Option(
        '-l, --selector <labels>',
        'only resources with labels, such as env=prod,tier!=web',
      ),
    )
    .addOption(
      new Option('--search <tsl>', 'only resources that match, such as "name like \'eu-%\'"'),
    )
    .addOption(new Option('--sort <field>', 'such as name, created_time:desc or labels.env'))
    .addOption(new Option('--cluster <name>', 'only resources of this cluster'))
    .addOption(new Option('-w, --watch', 'follow changes until Ctrl-C'))
    .addOption(new Option('--no-headers', 'omit the headings of the table'))
    .action(
      async (kind: string, name: string | undefined, options: GetOptions, command: Command) => {
        const session = await open(command)
        const { get } = await import('../get/get.ts')
        await get(session, { kind, name }, options)
      },
    )
}
