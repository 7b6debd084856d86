import type { Command } from 'commander'
import type { OpenSession } from '../program/register.ts'

/** The options of `flotilla snapshot`. */
export interface SnapshotOptions {
  readonly resource?: readonly string[] | undefined
  readonly output?: string | undefined
}

/** `flotilla snapshot CLUSTER` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('snapshot')
    .description(
      'Shows the whole state of a cluster at one moment: resources, reports and objects.',
    )
    .argument('<cluster>', 'the name or ID of a cluster')
    .option('--resource <types...>', 'only these types, such as nodepools, statuses or configmaps')
    .option(
      '-o, --output <format>',
      "json, yaml or jsonpath='{.path}' (default: a table of counts)",
    )
    .action(async (cluster: string, options: SnapshotOptions, command: Command) => {
      const session = await open(command)
      const { snapshot } = await import('../snapshots/snapshot.ts')
      await snapshot(session, cluster, options)
    })
}
