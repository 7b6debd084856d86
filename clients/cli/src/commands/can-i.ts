import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla can-i`. */
export interface CanIOptions {
  readonly cluster?: string | undefined
  readonly namespace?: string | undefined
  readonly subresource?: string | undefined
  readonly quiet?: boolean | undefined
}

type Arguments = [string, string, string | undefined, CanIOptions, Command]

/** `flotilla can-i VERB KIND [NAME]` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('can-i')
    .description('Says whether you may do something. The exit code is 0 for yes and 1 for no.')
    .argument('<verb>', 'get, list, watch, create, patch, delete, report, ...')
    .argument('<kind>', 'a kind, such as clusters or sandboxes')
    .argument('[name]', 'one object, by its name')
    .option('--cluster <name>', 'ask about the plane of a cluster')
    .option('-n, --namespace <name>', 'ask about a namespace of the plane')
    .option('--subresource <name>', 'such as status, exec or scale')
    .option('-q, --quiet', 'print nothing')
    .addHelpText('after', EXAMPLES)
    .action(async (...[verb, kind, name, options, command]: Arguments) => {
      const session = await open(command)
      const { canI } = await import('../account/can-i.ts')
      await canI(session, { verb, kind, name }, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla can-i delete clusters
  flotilla can-i create sandboxes --subresource exec -n default --cluster lisbon
`
