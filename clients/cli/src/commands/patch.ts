import { readFile } from 'node:fs/promises'
import { type Command, Option } from 'commander'
import { parse } from 'yaml'
import { CliError } from '../errors/cli-error.ts'
import { changeObject } from '../objects/change-object.ts'
import { locateObjects } from '../objects/locate-objects.ts'
import { readFormat } from '../output/formats.ts'
import { printObjects } from '../output/print-objects.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'

/** The options of `flotilla patch`. */
interface PatchOptions {
  readonly patch?: string | undefined
  readonly patchFile?: string | undefined
  readonly type: 'merge' | 'json' | 'replace'
  readonly cluster?: string | undefined
  readonly dryRun?: boolean | undefined
  readonly output?: string | undefined
}

/** `flotilla patch KIND NAME -p PATCH` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('patch')
    .description('Changes fields of a resource.')
    .argument('<kind>', 'a kind, or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .option('-p, --patch <patch>', 'the change, as YAML or JSON')
    .option('--patch-file <file>', 'a file with the change, or - for the standard input')
    .addOption(
      new Option(
        '--type <type>',
        'merge: objects are merged; json: operations; replace: whole fields',
      )
        .choices(['merge', 'json', 'replace'])
        .default('merge'),
    )
    .option('--cluster <name>', 'the cluster of a node pool')
    .option('--dry-run', 'show the difference; the server validates it and stores nothing')
    .option('-o, --output <format>', 'json, yaml or name')
    .addHelpText('after', EXAMPLES)
    .action(
      async (kind: string, name: string | undefined, options: PatchOptions, command: Command) => {
        const session = await open(command)
        await patch(session, [kind, ...(name === undefined ? [] : [name])], options)
      },
    )
}

const EXAMPLES = `
Examples:
  flotilla patch cluster lisbon -p 'spec: {release: {channel: stable}}'
  flotilla patch cluster lisbon --type json -p '[{"op": "add", "path": "/spec/zones/-", "value": "c"}]'
`

const CONTENT_TYPES = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  replace: 'application/json',
} as const

/** Patches an object. */
async function patch(
  session: Session,
  args: readonly string[],
  options: PatchOptions,
): Promise<void> {
  const format = readFormat(options.output, ['json', 'yaml', 'name'])
  const body = parsed(await patchText(session, options))
  const { cluster, type } = options
  const [located] = await locateObjects(session, args, { cluster, verb: 'patch' })
  if (located === undefined) return
  const screen = format.name === 'table' ? session.out : session.err
  const changed = await changeObject(session, located, {
    contentType: CONTENT_TYPES[type],
    body,
    dryRun: options.dryRun === true,
    // An operation such as "add to the list" would apply twice.
    isRepeatable: type !== 'json',
    print: (line) => screen.write(`${line}\n`),
  })
  await printObjects(session, format, [{ label: located.label, object: changed }])
}

async function patchText(
  { stdin }: Session,
  { patch: text, patchFile }: PatchOptions,
): Promise<string> {
  if ((text === undefined) === (patchFile === undefined)) {
    throw new CliError('give the change with either --patch or --patch-file', { exit: 'usage' })
  }
  if (text !== undefined) return text
  if (patchFile === '-') return await stdin.read()
  return await readFile(patchFile ?? '', 'utf8').catch((cause: unknown) => {
    const detail = cause instanceof Error ? cause.message : String(cause)
    throw new CliError(`${patchFile} cannot be read: ${detail}`, { exit: 'usage', cause })
  })
}

function parsed(text: string): unknown {
  let value: unknown
  try {
    value = parse(text)
  } catch (cause) {
    const detail = cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)
    throw new CliError(`the patch is neither YAML nor JSON: ${detail}`, { exit: 'usage', cause })
  }
  if (typeof value === 'object' && value !== null) return value
  throw new CliError('the patch must be an object or a list of operations', { exit: 'usage' })
}
