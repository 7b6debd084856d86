import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla edit`. */
export interface EditOptions {
  readonly cluster?: string | undefined
}

/** `flotilla edit KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('edit')
    .description('Opens a resource in your editor ($VISUAL or $EDITOR), and saves what you change.')
    .argument('<kind>', 'a kind, or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .option('--cluster <name>', 'the cluster of a node pool')
    .action(
      async (kind: string, name: string | undefined, options: EditOptions, command: Command) => {
        const session = await open(command)
        const { edit } = await import('../edit/edit.ts')
        await edit(session, [kind, ...(name === undefined ? [] : [name])], options)
      },
    )
}
