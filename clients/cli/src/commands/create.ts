import type { Command } from 'commander'
import { writeDocuments } from '../apply/write-documents.ts'
import { specFromOptions, splitPair } from '../creation/spec-from-options.ts'
import type { Document } from '../documents/document.ts'
import { loadDocuments } from '../documents/load-documents.ts'
import { CliError } from '../errors/cli-error.ts'
import { readFormat } from '../output/formats.ts'
import type { OpenSession } from '../program/register.ts'
import { timeoutOption } from '../program/timeout-option.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { splitArgument } from '../targets/split-argument.ts'

/** The options of `flotilla create`. */
interface CreateOptions {
  readonly filename?: readonly string[] | undefined
  readonly recursive?: boolean | undefined
  readonly spec?: string | undefined
  readonly set: readonly string[]
  readonly label: readonly string[]
  readonly cluster?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly output?: string | undefined
  readonly wait?: boolean | undefined
  /** Milliseconds. */
  readonly timeout: number
}

/** `flotilla create KIND NAME`, or `flotilla create -f FILE` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('create')
    .description('Creates a resource, or the resources of files. Fails if one exists.')
    .argument('[kind]', 'a kind, such as cluster or nodepool; or KIND/NAME')
    .argument('[name]', 'its name; a node pool is CLUSTER/NAME')
    .option('-f, --filename <files...>', 'files, folders, or - for the standard input')
    .option('-R, --recursive', 'include subfolders')
    .option('--spec <object>', 'the spec, as YAML or JSON')
    .option('--set <path=value...>', 'a field of the spec, such as release.version=4.18', [])
    .option('--label <key=value...>', 'labels', [])
    .option('--cluster <name>', 'the cluster of a node pool')
    .option('--dry-run', 'validate on the server, store nothing')
    .option('-o, --output <format>', 'json, yaml or name')
    .option('--wait', 'wait until it is ready')
    .addOption(timeoutOption('5m', 'how long --wait waits'))
    .addHelpText('after', EXAMPLES)
    .action(
      async (
        kind: string | undefined,
        name: string | undefined,
        options: CreateOptions,
        command: Command,
      ) => {
        const session = await open(command)
        await create(session, { kind, name }, options)
      },
    )
}

const EXAMPLES = `
Examples:
  flotilla create cluster lisbon --set region=eu --label env=prod --wait
  flotilla create nodepool lisbon/workers --set size=3
  flotilla create -f clusters/
`

interface Argument {
  readonly kind: string | undefined
  readonly name: string | undefined
}

/** Creates an object from options, or the objects of files. */
async function create(session: Session, argument: Argument, options: CreateOptions): Promise<void> {
  const format = readFormat(options.output, ['json', 'yaml', 'name'])
  const documents = await documentsOf(session, argument, options)
  await writeDocuments(session, documents, { ...options, format, onlyCreate: true, yes: true })
}

async function documentsOf(
  session: Session,
  { kind, name }: Argument,
  options: CreateOptions,
): Promise<readonly Document[]> {
  const files = options.filename ?? []
  if ((kind === undefined) === (files.length === 0)) throw unclear()
  if (kind === undefined) {
    return await loadDocuments(session, files, options)
  }
  const argument = splitArgument(kind, name)
  if (argument.name === null) throw unclear()
  const purpose = { kubectl: 'create -f FILE', cluster: options.cluster }
  const target = await resolveTarget(session, argument.kind, purpose)
  const content = resourceFrom(target, argument.name, options)
  return [{ content, source: 'the command line' }]
}

function resourceFrom({ kind, parentKind }: KindTarget, name: string, options: CreateOptions) {
  const slash = name.lastIndexOf('/')
  const parent = slash < 0 ? options.cluster : name.slice(0, slash)
  const field = parentKind === null ? '' : parentKind.charAt(0).toLowerCase() + parentKind.slice(1)
  return {
    kind,
    name: name.slice(slash + 1),
    ...(field !== '' && { [field]: parent }),
    ...(options.label.length > 0 && { labels: Object.fromEntries(options.label.map(splitPair)) }),
    spec: specFromOptions(options.spec, options.set),
  }
}

function unclear(): CliError {
  return new CliError('name either an object or files', {
    exit: 'usage',
    hint: "'flotilla create KIND NAME', or 'flotilla create -f FILE'.",
  })
}
