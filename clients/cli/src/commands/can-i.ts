import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla can-i`. */
export interface CanIOptions {
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
    .argument('<kind>', 'a kind, such as clusters')
    .argument('[name]', 'one object, by its name')
    .option('--subresource <name>', 'such as status')
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
  flotilla can-i patch cluster lisbon
`
