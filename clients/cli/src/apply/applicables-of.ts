import type { Document } from '../documents/document.ts'
import { refusePlaneObjects } from '../documents/refuse-plane-objects.ts'
import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'
import type { Session } from '../session/session.ts'
import { BUILT_IN_KINDS } from '../targets/built-in-kinds.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { readResource } from '../targets/read-resource.ts'
import { targetOf } from '../targets/resolve-target.ts'
import type { Applicable } from './applicable.ts'
import { applicableResource } from './applicable-resource.ts'
import { declaredResource } from './declared-resource.ts'

/** The use of documents by a command. */
export interface Purpose {
  /** The cluster of node pools that name none. */
  readonly cluster: string | undefined
  /** Whether an object that exists is an error. */
  readonly onlyCreate: boolean
}

/** An object to apply with its place in the files. */
export interface Item {
  readonly object: Applicable
  readonly source: string
  readonly target: KindTarget
}

/** The resources of documents, parents before their children. */
export async function applicablesOf(
  session: Session,
  documents: readonly Document[],
  { cluster, onlyCreate }: Purpose,
): Promise<readonly Item[]> {
  const kubectl = onlyCreate ? 'create -f FILE' : 'apply --server-side -f FILE'
  refusePlaneObjects(documents, { kubectl, cluster })
  const kinds = await kindsFor(session, documents)
  const items = documents.map((document) => itemOf(session, document, { kinds, cluster }))
  const depths = items.map(({ target }) => depthOf(target, kinds))
  return [...items.keys()]
    .sort((left, right) => (depths[left] ?? 0) - (depths[right] ?? 0))
    .flatMap((index) => items[index] ?? [])
}

/** Built-in kinds need no request. */
async function kindsFor(
  { client, signal }: Session,
  documents: readonly Document[],
): Promise<readonly KindTarget[]> {
  const isBuiltIn = ({ content }: Document) =>
    BUILT_IN_KINDS.some(({ kind }) => kind === content['kind'])
  if (documents.every(isBuiltIn)) return BUILT_IN_KINDS
  return (await client.kinds({ signal })).map(targetOf)
}

function itemOf(
  session: Session,
  document: Document,
  {
    kinds,
    cluster,
  }: { readonly kinds: readonly KindTarget[]; readonly cluster?: string | undefined },
): Item {
  const { content, source } = document
  const { kind } = content
  if (typeof kind !== 'string') {
    throw new CliError(`${source}: the object has no kind`, { exit: 'usage' })
  }
  const target = kinds.find((one) => one.kind === kind)
  if (target === undefined) throw unknownKind(source, kind, kinds)
  const declared = declaredResource(document, target, cluster)
  const parent = once(async () => {
    const above = kinds.find((one) => one.kind === target.parentKind)
    if (above === undefined || declared.parent === null) return []
    const { id } = await readResource(session, above, { name: declared.parent })
    return [above.plural, id]
  })
  return { object: applicableResource(session, { target, declared, parent }), source, target }
}

/** Remembers a success. A failure may pass, such as that of a parent that is created later. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let found: { readonly value: T } | null = null
  return async () => {
    found ??= { value: await read() }
    return found.value
  }
}

function depthOf({ parentKind }: KindTarget, kinds: readonly KindTarget[]): number {
  const parent = kinds.find(({ kind }) => kind === parentKind)
  return parent === undefined ? 0 : 1 + depthOf(parent, kinds)
}

function unknownKind(source: string, kind: string, kinds: readonly KindTarget[]): CliError {
  const similar = suggestion(
    kind,
    kinds.map((one) => one.kind),
  )
  return new CliError(`${source}: the kind ${kind} is unknown`, {
    exit: 'usage',
    hint:
      similar === null
        ? "'flotilla kinds' lists the kinds of the HyperFleet API."
        : `Did you mean '${similar}'?`,
  })
}
