import { type Command, Option } from 'commander'
import type { OpenSession } from '../program/register.ts'
import { timeoutOption } from '../program/timeout-option.ts'
import type { WaitOptions } from '../waiting/wait-options.ts'

/** Adds the options that say where the objects of a command are. */
export function placed(command: Command): Command {
  return command
    .option('--cluster <name>', 'the cluster of the plane (default: the root plane)')
    .option('-n, --namespace <name>', 'the namespace', 'default')
}

/** Adds the name and the program of new sandboxes, with its options (`WorkloadOptions`). */
export function withWorkload(command: Command): Command {
  return command
    .usage('NAME [options] -- PROGRAM [ARGUMENTS]')
    .argument('<name>', 'a name, or NAMESPACE/NAME')
    .argument(
      '[program...]',
      'the program and its arguments, after --; that of the image without them',
    )
    .addOption(
      new Option('--restart <policy>', 'when the program starts again after its end')
        .choices(['Always', 'OnFailure', 'Never'])
        .default('Always'),
    )
    .option('--env <name=value...>', 'variables of the program', [])
    .option('--volume <volume...>', 'NAME or NAME:PATH; kept until the sandbox is deleted', [])
    .option('--memory <size>', 'the memory that it may use, such as 512Mi or 2Gi')
    .option('--image <name>', 'a registered image with its files (see: sandbox images)')
    .option('--class <name>', 'the wall around it (default: that of the machine)')
}

/** Adds the options of a command that waits. The text describes `--no-wait`. */
export function waiting(command: Command, text: string): Command {
  return command.option('--no-wait', text).addOption(timeoutOption('5m'))
}

/** Adds a command that lists the objects of a kind. */
export function addList(
  parent: Command,
  open: OpenSession,
  {
    name,
    kind,
    objects,
  }: { readonly name: string; readonly kind: string; readonly objects: string },
): void {
  parent
    .command(name)
    .description(`Lists ${objects}, as 'flotilla get ${kind}' does.`)
    .option('--cluster <name>', 'the cluster of the plane (default: the root plane)')
    .option('-n, --namespace <name>', 'only this namespace')
    .option('-o, --output <format>', 'wide, json, yaml or name')
    .action(async (options: object, command: Command) => {
      const { get } = await import('../get/get.ts')
      await get(await open(command), { kind, name: undefined }, { headers: true, ...options })
    })
}

interface Deletion {
  readonly kind: string
  readonly description: string
  /** Whether dependents are deleted before the object is gone. */
  readonly cascade: 'background' | 'foreground'
}

/** Adds a command that deletes objects of a kind. */
export function addDelete(
  parent: Command,
  open: OpenSession,
  { kind, description, cascade }: Deletion,
): void {
  waiting(placed(parent.command('delete')), 'only request the deletion')
    .description(description)
    .argument('<names...>', 'names, or NAMESPACE/NAME')
    .action(async (names: readonly string[], options: WaitOptions, own: Command) => {
      const { deleteObjects } = await import('../deletion/delete-objects.ts')
      await deleteObjects(await open(own), [kind, ...names], { ...options, cascade, yes: true })
    })
}
