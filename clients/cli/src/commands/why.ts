import { type Command, Option } from 'commander'
import { explainReadiness } from '../../../typescript/src/index.ts'
import { explainAll } from '../breakdown/explain-all.ts'
import { CliError } from '../errors/cli-error.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import { visibleText } from '../output/visible-text.ts'
import { count } from '../program/count.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'
import { namedArgument, type ObjectArgument } from '../targets/named-argument.ts'
import { readResource } from '../targets/read-resource.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { readReadiness } from '../why/read-readiness.ts'

/** The options of `flotilla why`. */
interface WhyOptions {
  readonly output?: string | undefined
  readonly cluster?: string | undefined
  readonly all?: boolean | undefined
  readonly by?: string | undefined
  readonly search?: string | undefined
  readonly selector?: string | undefined
  readonly limit?: number | undefined
}

/** The rows of `--all` unless `--limit` says otherwise. */
const ROWS = 20

/** `flotilla why KIND NAME` and `flotilla why [KIND] --all` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('why')
    .description(
      'Explains in one sentence why a resource is not ready, or with --all which reasons keep most resources from being ready.',
    )
    .argument('[kind]', 'a kind, such as cluster or nodepool; or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .addOption(new Option('-o, --output <format>', 'json or yaml; with --all also wide'))
    .addOption(new Option('--cluster <name>', 'the cluster of a node pool'))
    .addOption(new Option('-A, --all', 'the reasons of all resources of the kind, or of all kinds'))
    .addOption(
      new Option(
        '--by <fields>',
        'with --all: also group by these, such as labels.env,spec.version',
      ),
    )
    .addOption(new Option('-l, --selector <labels>', 'with --all: only resources with labels'))
    .addOption(new Option('--search <tsl>', 'with --all: only resources that match'))
    .addOption(
      new Option(
        '--limit <number>',
        `with --all: the number of rows, ${ROWS} by default`,
      ).argParser(count),
    )
    .action(
      async (
        kind: string | undefined,
        name: string | undefined,
        options: WhyOptions,
        command: Command,
      ) => {
        const session = await open(command)
        if (options.all === true) await whyAll(session, { kind, name }, options)
        else await why(session, { kind: requireKind(kind), name }, options)
      },
    )
}

function requireKind(kind: string | undefined): string {
  if (kind !== undefined) return kind
  throw new CliError('the kind is missing', {
    exit: 'usage',
    hint: "Write 'flotilla why KIND NAME', or 'flotilla why --all' for the reasons of all resources.",
  })
}

/** Prints why a resource is not ready. */
async function why(session: Session, argument: ObjectArgument, options: WhyOptions): Promise<void> {
  const { out } = session
  const format = readFormat(options.output, ['json', 'yaml'])
  const { kind, name } = namedArgument('why', argument)
  rejectOptionsOfAll(options)
  const purpose = { kubectl: `describe ${kind} ${name}`, cluster: options.cluster }
  const target = await resolveTarget(session, kind, purpose)
  const resource = await readResource(session, target, { ...options, name })
  const readiness = await readReadiness(session, target, resource)
  const explanation = explainReadiness({ ...readiness, now: session.now() })
  if (format.name === 'json' || format.name === 'yaml') {
    out.write(await objectText(format, explanation))
  } else {
    out.write(`${visibleText(explanation.sentence)}\n`)
  }
}

/** Options that group and select need `--all`. */
function rejectOptionsOfAll({ by, search, selector, limit }: WhyOptions): void {
  const given = Object.entries({ by, search, selector, limit }).find(
    ([, value]) => value !== undefined,
  )
  if (given === undefined) return
  throw new CliError(`--${given[0]} needs --all`, {
    exit: 'usage',
    hint: "Write 'flotilla why KIND --all' for the reasons of all resources of a kind.",
  })
}

/** Prints which reasons keep most resources from being ready. */
async function whyAll(
  session: Session,
  { kind, name }: { readonly kind: string | undefined; readonly name: string | undefined },
  { output, by, search, selector, limit = ROWS, cluster }: WhyOptions,
): Promise<void> {
  const format = readFormat(output, ['wide', 'json', 'yaml', 'jsonpath'])
  if (name !== undefined || kind?.includes('/') === true || cluster !== undefined) {
    throw new CliError('a name and --all cannot be combined', {
      exit: 'usage',
      hint: "Omit the name, or omit --all. '--search' selects resources.",
    })
  }
  const fields = by?.split(',').map((field) => field.trim()) ?? []
  await explainAll(session, format, { kind, by: fields, search, selector, limit })
}
