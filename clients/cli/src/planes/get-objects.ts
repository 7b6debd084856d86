import type { GetOptions } from '../commands/get.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Format } from '../output/formats.ts'
import { objectText } from '../output/object-text.ts'
import type { Session } from '../session/session.ts'
import type { PlaneTarget } from '../targets/kind-target.ts'
import { objectPath } from './object-path.ts'
import { DEFAULT_NAMESPACE } from './read-object.ts'
import { printObjectTable } from './print-object-table.ts'
import { readObjectPages } from './read-object-pages.ts'

/** Which objects of a plane are shown, and how. */
export interface ObjectView {
  readonly target: PlaneTarget
  readonly format: Format
  readonly headers: boolean
}

/** Lists the objects of a plane, or shows one. */
export async function getObjects(
  session: Session,
  view: ObjectView,
  { name, search, sort, selector, namespace, watch }: GetOptions & { readonly name: string | null },
): Promise<void> {
  if (search !== undefined || sort !== undefined) throw onlyHyperfleet(view.target.plural)
  const { target, format } = view
  const slash = name?.indexOf('/') ?? -1
  const within = name !== null && slash >= 0 ? name.slice(0, slash) : namespace
  const own = name === null ? null : name.slice(slash + 1)
  const single = own === null ? undefined : DEFAULT_NAMESPACE
  const place = { ...target, namespace: target.namespaced ? (within ?? single ?? null) : null }
  const request = {
    path: objectPath(place, ...(own === null ? [] : [own])),
    list: objectPath(place),
    name: own,
    selector,
    // With a namespace per row unless there is only one.
    showNamespace: target.namespaced && within === undefined && own === null,
  }
  if (watch === true) {
    const { followObjects } = await import('./follow-objects.ts')
    await followObjects(session, view, request)
  } else if (format.name === 'table' || format.name === 'wide') {
    await printObjectTable(session, view, request)
  } else {
    await printDocument(session, { ...view, format }, request)
  }
}

/** The objects that a command shows. */
export interface ObjectRequest {
  /** The path of the list or of the object. */
  readonly path: string
  readonly list: string
  /** The name of the object; null for a list. */
  readonly name: string | null
  readonly selector: string | undefined
  readonly showNamespace: boolean
}

interface NamedObject {
  readonly metadata: { readonly name: string; readonly namespace?: string | undefined }
}

type DocumentFormat = Exclude<Format, { readonly name: 'table' | 'wide' }>

async function printDocument(
  session: Session,
  { target, format }: ObjectView & { readonly format: DocumentFormat },
  request: ObjectRequest,
): Promise<void> {
  const { client, out, signal } = session
  const items: NamedObject[] = []
  if (request.name === null) {
    const pages = readObjectPages<{ readonly items: readonly NamedObject[] }>(session, request)
    for await (const page of pages) items.push(...page.items)
  } else {
    const read = { method: 'GET', path: request.path, retry: 'always', signal } as const
    items.push((await client.request<NamedObject>(read)).body)
  }
  if (format.name === 'name') {
    for (const { metadata } of items) {
      const within = request.showNamespace ? `${metadata.namespace}/` : ''
      out.write(`${target.singular}/${within}${metadata.name}\n`)
    }
    return
  }
  const list = { apiVersion: 'v1', kind: 'List', items }
  out.write(await objectText(format, request.name === null ? list : items[0]))
}

function onlyHyperfleet(plural: string): CliError {
  return new CliError(`${plural} cannot be searched or sorted`, {
    exit: 'usage',
    hint: 'Select them by label with -l; --search and --sort need a kind of the HyperFleet API.',
  })
}
