import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { conjunction } from './combined-search.ts'
import type { SelectionOptions } from './selection.ts'

/** The options of a list, with the search and the order that a view of the server saves. */
export async function withSavedView<T extends SelectionOptions>(
  { client, signal }: Session,
  { kind }: KindTarget,
  options: T & { readonly view?: string | undefined },
): Promise<T> {
  const { view: name } = options
  if (name === undefined) return options
  const { spec } = await client.views.getByName(name, { signal })
  if (spec.kind !== kind) {
    throw new CliError(`the view ${name} lists the kind ${spec.kind}, not ${kind}`, {
      exit: 'usage',
      hint: `Run flotilla get ${spec.kind} --view ${name}.`,
    })
  }
  const searches = [spec.search, options.search].flatMap((search) => search ?? [])
  return { ...options, search: conjunction(searches), sort: options.sort ?? spec.order }
}
