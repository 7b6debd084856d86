import { type Command, Option } from 'commander'
import { explainReadiness } from '../../../typescript/src/index.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import { visibleText } from '../output/visible-text.ts'
import type { OpenSession } from '../program/register.ts'
import type { Session } from '../session/session.ts'
import { namedArgument, type ObjectArgument } from '../targets/named-argument.ts'
import { readResource } from '../targets/read-resource.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { readReadiness } from '../why/read-readiness.ts'

/** The options of `flotilla why`. */
interface WhyOptions {
  readonly output?: string | undefined
  readonly cluster?: string | undefined
}

/** `flotilla why KIND NAME` */
export function register(program: Command, open: OpenSession): void {
  program
    .command('why')
    .description('Explains in one sentence why a resource is not ready.')
    .argument('<kind>', 'a kind, such as cluster or nodepool; or KIND/NAME')
    .argument('[name]', 'a name or an ID; a node pool is CLUSTER/NAME')
    .addOption(new Option('-o, --output <format>', 'json or yaml: the state of each adapter'))
    .addOption(new Option('--cluster <name>', 'the cluster of a node pool'))
    .action(
      async (kind: string, name: string | undefined, options: WhyOptions, command: Command) => {
        const session = await open(command)
        await why(session, { kind, name }, options)
      },
    )
}

/** Prints why a resource is not ready. */
async function why(session: Session, argument: ObjectArgument, options: WhyOptions): Promise<void> {
  const { out } = session
  const format = readFormat(options.output, ['json', 'yaml'])
  const { kind, name } = namedArgument('why', argument)
  const purpose = { kubectl: `describe ${kind} ${name}`, cluster: options.cluster }
  const target = await resolveTarget(session, kind, purpose)
  const resource = await readResource(session, target, name, options)
  const readiness = await readReadiness(session, target, resource)
  const explanation = explainReadiness({ ...readiness, now: session.now() })
  if (format.name === 'json' || format.name === 'yaml') {
    out.write(await objectText(format, explanation))
  } else {
    out.write(`${visibleText(explanation.sentence)}\n`)
  }
}
