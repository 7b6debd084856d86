import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla patch`. */
export interface PatchOptions {
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
        const { patch } = await import('../objects/patch.ts')
        await patch(session, [kind, ...(name === undefined ? [] : [name])], options)
      },
    )
}

const EXAMPLES = `
Examples:
  flotilla patch cluster lisbon -p 'spec: {release: {channel: stable}}'
  flotilla patch cluster lisbon --type json -p '[{"op": "add", "path": "/spec/zones/-", "value": "c"}]'
`
