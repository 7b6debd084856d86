import { NotFound, type ParentPath } from '../../../typescript/src/index.ts'
import { CliError } from '../errors/cli-error.ts'
import type { Session } from '../session/session.ts'
import { collectionOf } from './collection-of.ts'
import type { KindTarget } from './kind-target.ts'
import { kindNamed } from './kind-named.ts'
import type { Resource } from './resource.ts'

const ID = /^2[0-9A-Za-z]{26}$/

/** Whether a text has the form of IDs. A name could have it too, but only by intention. */
export function isId(text: string): boolean {
  return ID.test(text)
}

/** The name of an argument: `NAME`, or `PARENT/NAME` for kinds with a parent. Names can be IDs. */
export interface ResourceName {
  readonly name: string
  /** The name or ID of the cluster, from `--cluster`. */
  readonly cluster?: string | undefined
}

/** Reads the resource with a name or an ID. */
export async function readResource(
  session: Session,
  target: KindTarget,
  { name, cluster }: ResourceName,
): Promise<Resource> {
  const slash = name.lastIndexOf('/')
  const parent = slash < 0 ? cluster : name.slice(0, slash)
  const own = name.slice(slash + 1)
  if (isId(own)) {
    const found = await byId(session, target, own)
    if (found !== null) return found
  }
  return await byName(session, target, { parent, name: own })
}

async function byId(session: Session, target: KindTarget, id: string): Promise<Resource | null> {
  try {
    return await collectionOf(session, target).get(id, { signal: session.signal })
  } catch (error) {
    if (error instanceof NotFound) return null
    throw error
  }
}

async function byName(
  session: Session,
  target: KindTarget,
  { parent, name }: { readonly parent: string | undefined; readonly name: string },
): Promise<Resource> {
  if (!NAME.test(name)) throw notFound(target, name)
  const below = parent === undefined ? undefined : await readParent(session, target, parent)
  const { items } = await collectionOf(session, target)
    .list({ search: `name = '${name}'`, parent: below, pageSize: 2, signal: session.signal })
    .firstPage()
  const [first, second] = items
  if (second !== undefined) throw ambiguous(target, name)
  if (first !== undefined) return first
  throw notFound(target, name)
}

/** The characters of names; others would need escapes in a search. */
const NAME = /^[0-9A-Za-z]([-0-9A-Za-z]*[0-9A-Za-z])?$/

/** The parent below which a list searches. */
export async function readParent(
  session: Session,
  target: KindTarget,
  parent: string,
): Promise<ParentPath> {
  if (target.parentKind === null) {
    throw new CliError(`a ${target.singular} does not belong to a cluster`, {
      exit: 'usage',
      hint: `Name the ${target.singular} alone, without '${parent}'.`,
    })
  }
  const kind = await kindNamed(session, target.parentKind)
  const { id } = await readResource(session, kind, { name: parent })
  return { plural: kind.plural, id }
}

function ambiguous({ plural, singular, parentKind }: KindTarget, name: string): CliError {
  return new CliError(`several ${plural} are named '${name}'`, {
    exit: 'usage',
    hint:
      parentKind === null
        ? `Use the ID: 'flotilla get ${singular} -o wide' shows IDs.`
        : `Write '${parentKind.toUpperCase()}/${name}', or use the ID.`,
  })
}

function notFound({ kind, plural }: KindTarget, name: string): CliError {
  return new CliError(`${kind} '${name}' not found`, {
    exit: 'notFound',
    hint: `'flotilla get ${plural}' lists the existing ones.`,
  })
}
