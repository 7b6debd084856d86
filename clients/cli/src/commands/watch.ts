import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla watch`. */
export interface WatchCommandOptions {
  readonly output?: string | undefined
  readonly selector?: string | undefined
  readonly search?: string | undefined
  readonly cluster?: string | undefined
}

/** `flotilla watch KIND` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('watch')
    .description('Prints each change of a kind as it happens, until Ctrl-C.')
    .argument('<kind>', 'a kind of the HyperFleet API, such as clusters')
    .addOption(new Option('-o, --output <format>', 'json: one event per line'))
    .addOption(
      new Option('-l, --selector <labels>', 'only resources with labels, such as env=prod'),
    )
    .addOption(new Option('--search <tsl>', 'only resources that match a search'))
    .addOption(new Option('--cluster <name>', 'only resources of this cluster'))
    .action(async (kind: string, options: WatchCommandOptions, command: Command) => {
      const session = await open(command)
      const { watch } = await import('../watch/watch.ts')
      await watch(session, kind, options)
    })
}
