import { type Command, Option } from 'commander'
import { describeResource } from '../describe/describe-resource.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'
import { namedArgument, type ObjectArgument } from '../targets/named-argument.ts'
import { resolveTarget } from '../targets/resolve-target.ts'

/** The options of `flotilla describe`. */
interface DescribeOptions {
  readonly cluster?: string | undefined
}

/** `flotilla describe KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('describe')
    .description('Shows everything about one resource.')
    .argument('<kind>', 'a kind, such as cluster or nodepool; or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .addOption(new Option('--cluster <name>', 'the cluster of a node pool'))
    .action(
      async (
        kind: string,
        name: string | undefined,
        options: DescribeOptions,
        command: Command,
      ) => {
        const session = await open(command)
        await describe(session, { kind, name }, options)
      },
    )
}

/** Prints everything about one resource. */
async function describe(
  session: Session,
  argument: ObjectArgument,
  options: DescribeOptions,
): Promise<void> {
  const { kind, name } = namedArgument('describe', argument)
  const purpose = { kubectl: `describe ${kind} ${name}`, cluster: options.cluster }
  const target = await resolveTarget(session, kind, purpose)
  await describeResource(session, { ...options, target, name })
}
