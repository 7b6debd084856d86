import { type Command, Option } from 'commander'

/** Adds the options that say where the objects of a command are. */
export function placed(command: Command): Command {
  return command
    .option('--cluster <name>', 'the cluster of the plane (default: the root plane)')
    .option('-n, --namespace <name>', 'the namespace', 'default')
}

/** Adds the options of the program that sandboxes run (`WorkloadOptions`). */
export function withWorkload(command: Command): Command {
  return command
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
