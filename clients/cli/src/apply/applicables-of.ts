import type { Document } from '../documents/document.ts'
import { isJsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import { suggestion } from '../errors/suggestion.ts'
import { findPlaneResource } from '../planes/find-plane-resource.ts'
import { ROOT_PLANE } from '../planes/plane-path.ts'
import type { Session } from '../session/session.ts'
import { BUILT_IN_KINDS } from '../targets/built-in-kinds.ts'
import type { KindTarget } from '../targets/kind-target.ts'
import { readResource } from '../targets/read-resource.ts'
import type { Applicable } from './applicable.ts'
import { applicableObject } from './applicable-object.ts'
import { applicableResource } from './applicable-resource.ts'
import { declaredResource } from './declared-resource.ts'

/** The place of objects that do not name it. */
export interface Defaults {
  /** The cluster of node pools and of objects of planes. */
  readonly cluster: string | undefined
  readonly namespace: string
  readonly forceConflicts: boolean
}

/** An object to apply with its place in the files. */
export interface Item {
  readonly object: Applicable
  readonly source: string
  /** The kind, if it belongs to the HyperFleet API. */
  readonly target: KindTarget | null
}

/** The objects of documents: resources before their children, then the objects of planes. */
export async function applicablesOf(
  session: Session,
  documents: readonly Document[],
  defaults: Defaults,
): Promise<readonly Item[]> {
  const kinds = await kindsFor(session, documents)
  const items = documents.map((document) => itemOf(session, document, { kinds, defaults }))
  const depths = items.map(({ target }) => depthOf(target, kinds))
  return [...items.keys()]
    .sort((left, right) => (depths[left] ?? 0) - (depths[right] ?? 0))
    .flatMap((index) => items[index] ?? [])
}

const LAST = 1000

/** Built-in kinds need no request. */
async function kindsFor(
  { client, signal }: Session,
  documents: readonly Document[],
): Promise<readonly KindTarget[]> {
  const isBuiltIn = ({ content }: Document) =>
    content['apiVersion'] !== undefined ||
    BUILT_IN_KINDS.some(({ kind }) => kind === content['kind'])
  if (documents.every(isBuiltIn)) return BUILT_IN_KINDS
  const kinds = await client.kinds({ signal })
  return kinds.map(({ kind, plural, singular, parent_kind: parentKind }) => ({
    api: 'hyperfleet',
    kind,
    plural,
    singular,
    parentKind,
  }))
}

function itemOf(
  session: Session,
  document: Document,
  { kinds, defaults }: { readonly kinds: readonly KindTarget[]; readonly defaults: Defaults },
): Item {
  const { content, source } = document
  const { kind, apiVersion } = content
  if (typeof kind !== 'string') throw invalid(source, 'the object has no kind')
  if (typeof apiVersion === 'string') {
    return {
      object: planeObject(session, document, { apiVersion, kind, defaults }),
      source,
      target: null,
    }
  }
  const target = kinds.find((one) => one.kind === kind)
  if (target === undefined) throw unknownKind(source, kind, kinds)
  const declared = declaredResource(document, target, defaults.cluster)
  const parent = once(async () => {
    const above = kinds.find((one) => one.kind === target.parentKind)
    if (above === undefined || declared.parent === null) return []
    const { id } = await readResource(session, above, declared.parent)
    return [above.plural, id]
  })
  return { object: applicableResource(session, { target, declared, parent }), source, target }
}

interface PlaneObjectType {
  readonly apiVersion: string
  readonly kind: string
  readonly defaults: Defaults
}

function planeObject(
  session: Session,
  { content, source }: Document,
  { apiVersion, kind, defaults }: PlaneObjectType,
): Applicable {
  const metadata = content['metadata']
  const name = isJsonObject(metadata) ? metadata['name'] : undefined
  if (typeof name !== 'string') throw invalid(source, `this ${kind} has no metadata.name`)
  const { namespace, forceConflicts, cluster = ROOT_PLANE } = defaults
  const declared = { cluster, namespace, name, body: content, forceConflicts }
  const resource = once(() => findPlaneResource(session, { cluster, apiVersion, kind }))
  return applicableObject(session, { declared, resource })
}

/** Remembers a success. A failure may pass, such as that of a parent that is created later. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let found: { readonly value: T } | null = null
  return async () => {
    found ??= { value: await read() }
    return found.value
  }
}

function depthOf(target: KindTarget | null, kinds: readonly KindTarget[]): number {
  if (target === null) return LAST
  if (target.parentKind === null) return 0
  return 1 + depthOf(kinds.find(({ kind }) => kind === target.parentKind) ?? null, kinds)
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
        ? 'Objects of planes need an apiVersion, such as v1 or kplane.dev/v1.'
        : `Did you mean '${similar}'?`,
  })
}

function invalid(source: string, problem: string): CliError {
  return new CliError(`${source}: ${problem}`, { exit: 'usage' })
}
