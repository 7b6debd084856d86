import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla top`. */
export interface TopOptions {
  readonly output?: string | undefined
}

/** `flotilla top` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('top')
    .description(
      'Shows the load, and the resources that are not ready by reason: live on a terminal, once elsewhere.',
    )
    .addOption(new Option('-o, --output <format>', 'json or yaml'))
    .action(async (options: TopOptions, command: Command) => {
      const session = await open(command)
      const { top } = await import('../top/top.ts')
      await top(session, options)
    })
}
