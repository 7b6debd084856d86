import { type Command, Option } from 'commander'
import { CliError } from '../errors/cli-error.ts'
import { count } from '../program/count.ts'
import { seconds } from '../program/global-options.ts'
import type { OpenSession } from '../program/register.ts'
import type { ModeOptions } from '../sandboxes/change-mode.ts'
import type { CreateSandboxOptions } from '../sandboxes/create-sandbox.ts'
import type { ForkOptions } from '../sandboxes/fork-sandbox.ts'
import type { ExecOptions } from '../sandboxes/run-in-sandbox.ts'
import { observedSandbox } from '../sandboxes/sandbox-path.ts'
import type { LogsOptions } from '../sandboxes/show-logs.ts'
import type { SnapshotOptions } from '../sandboxes/take-snapshot.ts'
import { addDelete, addList, placed, waiting, withWorkload } from './sandbox/options.ts'
import { addPools } from './sandbox/pools.ts'

/**
 * `flotilla sandbox create|list|suspend|resume|exec|logs|snapshot|snapshots|fork|delete` and
 * `flotilla sandbox pool|claim|release|images`
 */
export function register(program: Command, open: OpenSession): void {
  const sandbox = program
    .command('sandbox')
    .description('Runs, suspends, resumes and copies programs with a state.')
  addCreate(sandbox, open)
  addList(sandbox, open, {
    name: 'list',
    objects: 'sandboxes',
    group: 'agents.x-k8s.io',
    plural: 'sandboxes',
    singular: 'sandbox',
  })
  addList(sandbox, open, {
    name: 'snapshots',
    objects: 'snapshots of sandboxes',
    group: 'agents.x-k8s.io',
    plural: 'snapshots',
    singular: 'snapshot',
  })
  addMode(sandbox, open, 'suspend')
  addMode(sandbox, open, 'resume')
  addExec(sandbox, open)
  addLogs(sandbox, open)
  addSnapshot(sandbox, open)
  addFork(sandbox, open)
  addDelete(sandbox, open, {
    description: 'Deletes sandboxes, and waits until they are gone.',
    observed: observedSandbox,
    propagationPolicy: 'Background',
  })
  addPools(sandbox, open)
  addImages(sandbox)
}

function addCreate(sandbox: Command, open: OpenSession): void {
  waiting(withWorkload(placed(sandbox.command('create'))), 'do not wait until it runs')
    .description('Creates a sandbox that runs a program, and waits until it runs.')
    .option('--idle <seconds>', 'suspend it when it was not used for this time', seconds)
    .addOption(
      new Option('--strategy <type>', 'how it is suspended; snapshots and forks need Hibernate')
        .choices(['Stop', 'Freeze', 'Hibernate'])
        .default('Stop'),
    )
    .option('--provider <name>', 'the SnapshotProvider that keeps its snapshots')
    .addHelpText('after', EXAMPLES)
    .action(
      async (
        name: string,
        command: readonly string[],
        options: CreateSandboxOptions,
        own: Command,
      ) => {
        const { createSandbox } = await import('../sandboxes/create-sandbox.ts')
        await createSandbox(await open(own), { name, command }, options)
      },
    )
}

/** The starter of the command passes these words to the server's program, unless options precede. */
function addImages(sandbox: Command): void {
  sandbox
    .command('images')
    .description('Registers images on this machine: add NAME PATH, list, remove NAME.')
    .argument('[words...]')
    .action(() => {
      throw new CliError("'sandbox images' works on this machine, without options of a server", {
        exit: 'usage',
        hint: 'Write: flotilla sandbox images --help',
      })
    })
}

function addMode(sandbox: Command, open: OpenSession, verb: 'suspend' | 'resume'): void {
  const command = placed(sandbox.command(verb))
    .description(verb === 'suspend' ? 'Suspends sandboxes.' : 'Resumes suspended sandboxes.')
    .argument('<names...>', 'names, or NAMESPACE/NAME')
  if (verb === 'suspend') {
    const strategy = new Option('--strategy <type>', 'instead of the one in its spec')
    command.addOption(strategy.choices(['Stop', 'Freeze', 'Hibernate']))
  } else command.option('--cold-boot', 'start without the snapshot if it cannot be used')
  waiting(command, 'do not wait').action(
    async (names: readonly string[], options: ModeOptions, own: Command) => {
      const { changeMode } = await import('../sandboxes/change-mode.ts')
      await changeMode(await open(own), { verb, names }, options)
    },
  )
}

function addExec(sandbox: Command, open: OpenSession): void {
  placed(sandbox.command('exec'))
    .description('Runs a program beside the workload. The exit code is that of the program.')
    .usage('NAME [options] -- PROGRAM [ARGUMENTS]')
    .argument('<name>', 'a name, or NAMESPACE/NAME')
    .argument('<program...>', 'the program and its arguments, after --')
    .option('-i, --stdin', 'send the standard input, which must end, to the program')
    .option('--workdir <directory>', 'the directory of the program')
    .option('--timeout <seconds>', 'kill the program after this time', seconds)
    .action(
      async (name: string, command: readonly string[], options: ExecOptions, own: Command) => {
        const { runInSandbox } = await import('../sandboxes/run-in-sandbox.ts')
        await runInSandbox(await open(own), { name, command }, options)
      },
    )
}

function addLogs(sandbox: Command, open: OpenSession): void {
  placed(sandbox.command('logs'))
    .description('Prints the output of the workload.')
    .argument('<name>', 'a name, or NAMESPACE/NAME')
    .option('-f, --follow', 'print new output until Ctrl-C')
    .option('--tail <lines>', 'only the last lines', count)
    .option('--since <seconds>', 'only output since this time', seconds)
    .option('--previous', 'the output before the last start')
    .action(async (name: string, options: LogsOptions, own: Command) => {
      const { showLogs } = await import('../sandboxes/show-logs.ts')
      await showLogs(await open(own), name, options)
    })
}

function addSnapshot(sandbox: Command, open: OpenSession): void {
  waiting(placed(sandbox.command('snapshot')), 'do not wait until it is complete')
    .description('Takes a snapshot of a running sandbox, which runs on.')
    .argument('<name>', 'a name, or NAMESPACE/NAME')
    .option('--name <snapshot>', 'the name of the snapshot')
    .action(async (name: string, options: SnapshotOptions, own: Command) => {
      const { takeSnapshot } = await import('../sandboxes/take-snapshot.ts')
      await takeSnapshot(await open(own), name, options)
    })
}

function addFork(sandbox: Command, open: OpenSession): void {
  waiting(placed(sandbox.command('fork')), 'do not wait until they run')
    .description('Creates sandboxes that begin with the state of another one.')
    .argument('<name>', 'a name, or NAMESPACE/NAME')
    .option('--count <number>', 'the number of copies', count, 1)
    .option('--prefix <text>', 'the beginning of their names')
    .action(async (name: string, options: ForkOptions, own: Command) => {
      const { forkSandbox } = await import('../sandboxes/fork-sandbox.ts')
      await forkSandbox(await open(own), name, options)
    })
}

const EXAMPLES = `
Examples:
  flotilla sandbox create web -- python3 -m http.server 8765
  flotilla sandbox create build --volume cache:/cache --memory 512Mi --idle 10m -- sleep 1000000
  flotilla sandbox create notes --strategy Hibernate --provider disk -- ./serve`
