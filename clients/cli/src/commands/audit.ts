import { type Command, Option } from 'commander'
import { count } from '../program/count.ts'
import type { OpenSession } from '../program/register.ts'
import { type Since, since } from '../program/since.ts'

/** The options of `flotilla audit`. */
export interface AuditOptions {
  readonly output?: string | undefined
  readonly search?: string | undefined
  readonly since?: Since | undefined
  readonly limit: number
}

const DEFAULT_LIMIT = 100

/** `flotilla audit` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('audit')
    .description('Shows who did what, when, from where and with which outcome, newest first.')
    .option('-o, --output <format>', "wide, json, yaml or jsonpath='{.path}'")
    .option('--search <tsl>', 'only events that match a search')
    .option(
      '--since <time>',
      'only events since a time, or for a duration such as 30m or 7d',
      since,
    )
    .addOption(
      new Option('--limit <number>', 'how many events, newest first')
        .argParser(count)
        .default(DEFAULT_LIMIT),
    )
    .addHelpText('after', EXAMPLES)
    .action(async (options: AuditOptions, command: Command) => {
      const session = await open(command)
      const { audit } = await import('../audit/audit.ts')
      await audit(session, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla audit --since 1h
  flotilla audit --search "verb in ('delete', 'forcedelete') and resource = 'clusters'"
  flotilla audit --search "outcome = 'denied'" --since 2026-11-22
`
