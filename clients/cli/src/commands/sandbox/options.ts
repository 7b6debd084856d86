import { type Command, Option } from 'commander'
import { objectPath } from '../../planes/object-path.ts'
import { ROOT_PLANE } from '../../planes/plane-path.ts'
import type { OpenSession } from '../../program/register.ts'
import { timeoutOption } from '../../program/timeout-option.ts'
import {
  type ObservedObject,
  type SandboxName,
  type SandboxPlace,
  sandboxNamed,
} from '../../sandboxes/sandbox-path.ts'
import type { WaitOptions } from '../../waiting/wait-options.ts'

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

interface ListedType {
  /** The name of the command. */
  readonly name: string
  readonly objects: string
  readonly group: string
  readonly plural: string
  readonly singular: string
}

interface ListOptions {
  readonly cluster?: string | undefined
  readonly namespace?: string | undefined
  readonly output?: string | undefined
}

/** Adds a command that lists the objects of a kind. */
export function addList(
  parent: Command,
  open: OpenSession,
  { name, objects, ...type }: ListedType,
): void {
  parent
    .command(name)
    .description(`Lists ${objects}.`)
    .option('--cluster <name>', 'the cluster of the plane (default: the root plane)')
    .option('-n, --namespace <name>', 'only this namespace')
    .option('-o, --output <format>', "wide, json, yaml, name or jsonpath='{.path}'")
    .action(async (options: ListOptions, command: Command) => {
      const { listObjects } = await import('../../planes/list-objects.ts')
      const { cluster = ROOT_PLANE, namespace = null, output } = options
      const path = objectPath({ ...type, version: 'v1beta1', cluster, namespace })
      const listed = { ...type, path, showNamespace: namespace === null }
      await listObjects(await open(command), listed, output)
    })
}

interface Deletion {
  readonly description: string
  readonly observed: (name: SandboxName) => ObservedObject
  /** Whether dependents are deleted before the object is gone. */
  readonly propagationPolicy: 'Background' | 'Foreground'
}

/** Adds a command that deletes objects of a kind. */
export function addDelete(
  parent: Command,
  open: OpenSession,
  { description, observed, propagationPolicy }: Deletion,
): void {
  waiting(placed(parent.command('delete')), 'only request the deletion')
    .description(description)
    .argument('<names...>', 'names, or NAMESPACE/NAME')
    .action(async (names: readonly string[], options: SandboxPlace & WaitOptions, own: Command) => {
      const { deleteSandboxes } = await import('../../sandboxes/delete-sandboxes.ts')
      const objects = names.map((name) => observed(sandboxNamed(name, options)))
      await deleteSandboxes(await open(own), objects, { ...options, propagationPolicy })
    })
}
