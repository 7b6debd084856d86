import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { namedArgument, type ObjectArgument } from '../targets/named-argument.ts'
import type { DescribeOptions } from '../commands/describe.ts'
import { describeResource } from './describe-resource.ts'

/** Prints everything about one resource. */
export async function describe(
  session: Session,
  argument: ObjectArgument,
  options: DescribeOptions,
): Promise<void> {
  const { kind, name } = namedArgument('describe', argument)
  const purpose = { kubectl: `describe ${kind} ${name}`, cluster: options.cluster }
  const target = await resolveTarget(session, kind, purpose)
  await describeResource(session, { ...options, target, name })
}
