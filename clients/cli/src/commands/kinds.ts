import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** `flotilla kinds` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('kinds')
    .description('Lists the kinds of the HyperFleet API.')
    .action(async (_options: unknown, command: Command) => {
      const session = await open(command)
      const { listKinds } = await import('../targets/list-kinds.ts')
      await listKinds(session)
    })
}
