import type { Command } from 'commander'
import { isJsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import { changeObject } from '../objects/change-object.ts'
import { labelChanges } from '../objects/label-changes.ts'
import { locateObjects } from '../objects/locate-objects.ts'
import type { LocatedObject } from '../objects/located-object.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla label`. */
interface LabelOptions {
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

const MERGE_PATCH = 'application/merge-patch+json'

/** Changes the labels of objects. */
async function label(
  session: Session,
  args: readonly string[],
  options: LabelOptions,
): Promise<void> {
  const { objects, changes } = labelChanges(args)
  const located = await locateObjects(session, objects, { ...options, verb: 'label' })
  if (options.overwrite !== true) for (const one of located) refuseOverwrite(one, changes)
  for (const one of located) {
    await changeObject(session, one, {
      contentType: MERGE_PATCH,
      body: { labels: changes },
      dryRun: options.dryRun === true,
      isRepeatable: true,
      print: (line) => session.out.write(`${line}\n`),
    })
  }
  if (located.length === 0) session.err.write('No object matches.\n')
}

function refuseOverwrite(
  { label: name, object }: LocatedObject,
  changes: Readonly<Record<string, string | null>>,
): void {
  const labels = isJsonObject(object['labels']) ? object['labels'] : {}
  for (const [key, value] of Object.entries(changes)) {
    const current = labels[key]
    if (value === null || current === undefined || current === value) continue
    throw new CliError(
      `${name} has the label ${key}=${JSON.stringify(current)}; nothing was changed`,
      {
        hint: 'Change it with --overwrite.',
      },
    )
  }
}
