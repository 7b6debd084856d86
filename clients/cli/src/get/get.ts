import type { GetOptions } from '../commands/get.ts'
import { readFormat } from '../output/formats.ts'
import { getResources } from '../resources/get-resources.ts'
import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'
import { splitArgument } from '../targets/split-argument.ts'

/** Lists the resources of a kind, or shows one. */
export async function get(
  session: Session,
  argument: { readonly kind: string; readonly name: string | undefined },
  options: GetOptions,
): Promise<void> {
  const format = readFormat(options.output, ['wide', 'json', 'yaml', 'name', 'jsonpath'])
  const { kind, name } = splitArgument(argument.kind, argument.name)
  const kubectl = [
    'get',
    kind,
    ...(name === null ? [] : [name]),
    ...(options.watch === true ? ['--watch'] : []),
  ]
  const { cluster } = options
  const target = await resolveTarget(session, kind, { kubectl: kubectl.join(' '), cluster })
  const view = { target, format, headers: options.headers }
  await getResources(session, view, { ...options, name })
}
