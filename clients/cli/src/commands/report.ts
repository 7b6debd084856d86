import { type Command, Option } from 'commander'
import { parse } from 'yaml'
import type { StatusReport } from '../../../typescript/src/index.ts'
import { isJsonObject, type JsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import { locateObjects } from '../objects/locate-objects.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla report`. */
interface ReportOptions {
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

type Condition = StatusReport['conditions'][number]

/** Why the server did not need a report, and what to do. */
const DISCARDED: Readonly<Record<string, string>> = {
  'stale-generation': 'the adapter has already reported a newer generation',
  'unknown-after-report': 'the adapter has reported before, so Available must be True or False',
  'future-generation': 'the resource has not reached this generation',
  'stale-observed-time': 'a report with a newer time is stored',
}

/** Posts a report in the strict profile. */
async function report(
  session: Session,
  args: readonly string[],
  options: ReportOptions,
): Promise<void> {
  const format = readFormat(options.output, ['json', 'yaml'])
  const [located] = await locateObjects(session, args, {
    cluster: options.cluster,
    verb: 'describe',
  })
  if (located === undefined) return
  const { label, object } = located
  const id = String(object['id'])
  const generation = generationOf(options, object)
  const body = reportFrom(options, generation)
  const result = await session.client.statuses.report(id, body, { signal: session.signal })
  if (result.discarded !== null) {
    const why = DISCARDED[result.discarded]
    const detail = why === undefined ? '' : `: ${why}`
    session.err.write(`${label}: the server discarded the report (${result.discarded})${detail}.\n`)
  } else if (format.name === 'json' || format.name === 'yaml') {
    session.out.write(await objectText(format, result.status))
  } else {
    const { adapter, available } = options
    session.out.write(
      `${label} reported by ${adapter}: Available=${available} at generation ${generation}\n`,
    )
  }
}

function reportFrom(options: ReportOptions, generation: number): StatusReport {
  const { adapter, available, reason, message, finalized, data } = options
  const isDone = available === 'True' || finalized === true
  return {
    adapter,
    observed_generation: generation,
    conditions: [
      { type: 'Available', status: statusOf(available), reason, message },
      { type: 'Applied', status: statusOf(options.applied ?? (isDone ? 'True' : 'False')) },
      { type: 'Health', status: statusOf(options.health ?? 'True') },
      ...(finalized === true ? [{ type: 'Finalized', status: 'True' } as const] : []),
      ...options.condition.map(conditionOf),
    ],
    ...(data !== undefined && { data: dataOf(data) }),
  }
}

function conditionOf(text: string): Condition {
  const [type = '', status = ''] = text.split('=')
  if (type !== '') return { type, status: statusOf(status) }
  throw new CliError(`'${text}' is no condition`, { exit: 'usage', hint: 'Write TYPE=STATUS.' })
}

function statusOf(text: string): Condition['status'] {
  if (text === 'True' || text === 'False' || text === 'Unknown') return text
  throw new CliError(`the status '${text}' is not True, False or Unknown`, { exit: 'usage' })
}

function generationOf({ generation }: ReportOptions, object: JsonObject): number {
  const number = Number(generation ?? object['generation'])
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new CliError(`the generation '${generation}' is not a positive number`, { exit: 'usage' })
}

function dataOf(text: string): JsonObject {
  const value = parsed(text)
  if (isJsonObject(value)) return value
  throw new CliError('--data must be an object, as YAML or JSON', { exit: 'usage' })
}

function parsed(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return null
  }
}
