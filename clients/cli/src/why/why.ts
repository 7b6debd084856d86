import { explainReadiness } from '../../../typescript/src/index.ts'
import type { WhyOptions } from '../commands/why.ts'
import { readFormat } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import { visibleText } from '../output/visible-text.ts'
import type { Session } from '../session/session.ts'
import { readResource } from '../targets/read-resource.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { namedArgument, type ObjectArgument } from '../targets/named-argument.ts'
import { readReadiness } from './read-readiness.ts'

/** Prints why a resource is not ready. */
export async function why(
  session: Session,
  argument: ObjectArgument,
  options: WhyOptions,
): Promise<void> {
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
