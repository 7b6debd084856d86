import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** `flotilla context list|use|rename|delete` */
export function register(program: Command, open: OpenSession): void {
  const contexts = program
    .command('context')
    .description('Lists the servers that you have logged in to, and selects one.')
  contexts
    .command('list', { isDefault: true })
    .description('Lists the contexts.')
    .action(async (_options: unknown, command: Command) => {
      const { listContexts } = await import('../account/list-contexts.ts')
      await listContexts(await open(command))
    })
  contexts
    .command('use')
    .description('Selects the context that commands use.')
    .argument('<name>')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { selectContext } = await import('../account/change-contexts.ts')
      await selectContext(await open(command), name)
    })
  contexts
    .command('rename')
    .description('Renames a context.')
    .argument('<name>')
    .argument('<new-name>')
    .action(async (name: string, newName: string, _options: unknown, command: Command) => {
      const { renameContext } = await import('../account/change-contexts.ts')
      await renameContext(await open(command), name, newName)
    })
  contexts
    .command('delete')
    .description('Deletes a context with its token.')
    .argument('<name>')
    .action(async (name: string, _options: unknown, command: Command) => {
      const { deleteContext } = await import('../account/change-contexts.ts')
      await deleteContext(await open(command), name)
    })
}
