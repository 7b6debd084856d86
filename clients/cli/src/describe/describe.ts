import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { splitArgument } from '../targets/split-argument.ts'
import type { DescribeOptions } from '../commands/describe.ts'
import { describeResource } from './describe-resource.ts'

/** Prints everything about one object. */
export async function describe(
  session: Session,
  argument: { readonly kind: string; readonly name: string | undefined },
  options: DescribeOptions,
): Promise<void> {
  const { kind, name } = splitArgument(argument.kind, argument.name)
  if (name === null) {
    throw new CliError('the name is missing', {
      exit: 'usage',
      hint: "Write 'flotilla describe KIND NAME'; 'flotilla get KIND' lists the names.",
    })
  }
  const target = await resolveTarget(session, kind, options)
  if (target.api === 'hyperfleet') {
    await describeResource(session, { ...options, target, name })
    return
  }
  const { describeObject } = await import('./describe-object.ts')
  await describeObject(session, { ...options, target, name })
}
