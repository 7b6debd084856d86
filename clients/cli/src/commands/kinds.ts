import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'

interface KindsOptions {
  readonly cluster?: string | undefined
}

/** `flotilla kinds` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('kinds')
    .description('Lists the kinds of the server, and the resources of its root plane.')
    .addOption(new Option('--cluster <name>', "list the resources of this cluster's plane instead"))
    .action(async (options: KindsOptions, command: Command) => {
      const session = await open(command)
      const { listKinds } = await import('../targets/list-kinds.ts')
      await listKinds(session, options)
    })
}
