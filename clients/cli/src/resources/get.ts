import type { GetOptions } from '../commands/get.ts'
import { readFormat } from '../output/formats.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from '../targets/collection-of.ts'
import { readResource } from '../targets/read-resource.ts'
import { resolveKind } from '../targets/resolve-kind.ts'
import { splitArgument } from '../targets/split-argument.ts'
import { combinedSearch } from './combined-search.ts'
import { printResources } from './print-resources.ts'

/** Lists resources, or shows one. */
export async function get(
  session: Session,
  argument: { readonly kind: string; readonly name: string | undefined },
  options: GetOptions,
): Promise<void> {
  const format = readFormat(options.output, ['wide', 'json', 'yaml', 'name', 'jsonpath'])
  const { kind, name } = splitArgument(argument.kind, argument.name)
  const target = resolveKind(kind)
  const view = { target, format, headers: options.headers }
  if (name !== null) {
    const resource = await readResource(session, target, name, options)
    await printResources(session, view, { single: resource })
    return
  }
  const search = combinedSearch({ search: options.search, labels: options.selector })
  const list = { search, orderBy: options.sort?.replaceAll(':', ' '), signal: session.signal }
  await printResources(session, view, { pages: collectionOf(session, target).list(list).pages() })
}
