import { type Command, Option } from 'commander'
import { readFormat } from '../output/formats.ts'
import type { OpenSession } from '../program/register.ts'
import { getResources } from '../resources/get-resources.ts'
import type { SelectionOptions } from '../resources/selection.ts'
import { withSavedView } from '../resources/with-saved-view.ts'
import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { splitArgument } from '../targets/split-argument.ts'

/** The options of `flotilla get`. */
interface GetOptions extends SelectionOptions {
  readonly view?: string | undefined
  readonly output?: string | undefined
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
    .addOption(new Option('--view <name>', 'only resources of a saved view, in its order'))
    .addOption(new Option('--sort <field>', 'such as name, created_time:desc or labels.env'))
    .addOption(new Option('--cluster <name>', 'only resources of this cluster'))
    .addOption(new Option('-w, --watch', 'follow changes until Ctrl-C'))
    .addOption(new Option('--no-headers', 'omit the headings of the table'))
    .action(
      async (kind: string, name: string | undefined, options: GetOptions, command: Command) => {
        const session = await open(command)
        await get(session, { kind, name }, options)
      },
    )
}

/** Lists the resources of a kind, or shows one. */
async function get(
  session: Session,
  argument: { readonly kind: string; readonly name: string | undefined },
  options: GetOptions,
): Promise<void> {
  const format = readFormat(options.output, ['wide', 'json', 'yaml', 'name', 'jsonpath'])
  const { kind, name } = splitArgument(argument.kind, argument.name)
  const kubectl = [
    'get',
    kind,
    ...(name === null ? [] : [name]),
    ...(options.watch === true ? ['--watch'] : []),
  ]
  const { cluster } = options
  const target = await resolveTarget(session, kind, { kubectl: kubectl.join(' '), cluster })
  const view = { target, format, headers: options.headers }
  const selected = await withSavedView(session, target, options)
  await getResources(session, view, { ...selected, name })
}
