import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla whoami`. */
export interface WhoamiOptions {
  readonly output?: string | undefined
}

/** `flotilla whoami` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('whoami')
    .description('Shows the server and who you are there.')
    .option('-o, --output <format>', "json, yaml or jsonpath='{.path}'")
    .action(async (options: WhoamiOptions, command: Command) => {
      const session = await open(command)
      const { whoami } = await import('../account/whoami.ts')
      await whoami(session, options)
    })
}
