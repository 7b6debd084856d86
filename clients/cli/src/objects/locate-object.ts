import { NotFound } from '../../../typescript/src/index.ts'
import { resourcePath } from '../apply/resource-path.ts'
import type { JsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import { objectPath } from '../planes/object-path.ts'
import type { Session } from '../session/session.ts'
import type { KindTarget, PlaneTarget, Target } from '../targets/kind-target.ts'
import { readResource } from '../targets/read-resource.ts'
import type { LocatedObject } from './located-object.ts'

/** The place of an object whose name does not contain it. */
export interface Place {
  readonly cluster?: string | undefined
  readonly namespace?: string | undefined
}

/** Reads the object with a name: that of a cluster, CLUSTER/NAME, NAMESPACE/NAME or an ID. */
export function locateObject(
  session: Session,
  target: Target,
  name: string,
  place: Place,
): Promise<LocatedObject> {
  return target.api === 'hyperfleet'
    ? locateResource(session, target, name, place)
    : locateInPlane(session, target, name, place)
}

async function locateResource(
  session: Session,
  target: KindTarget,
  name: string,
  { cluster }: Place,
): Promise<LocatedObject> {
  const { id, name: own } = await readResource(session, target, name, { cluster })
  const path = resourcePath(target.plural, id)
  const { body, headers } = await read(session, path)
  return {
    target,
    label: `${target.singular}/${own}`,
    path,
    object: body,
    tag: headers.get('etag'),
  }
}

async function locateInPlane(
  session: Session,
  target: PlaneTarget,
  name: string,
  place: Place,
): Promise<LocatedObject> {
  const { namespace, own } = splitName(target, name, place)
  const path = objectPath({ ...target, namespace }, own)
  const { body } = await read(session, path).catch((error: unknown) => {
    throw error instanceof NotFound ? missing(target, own, error) : error
  })
  return { target, label: labelOf(target, own), path, object: body, tag: null }
}

/** The namespace and the name of `NAME` or `NAMESPACE/NAME`. */
function splitName({ namespaced }: PlaneTarget, name: string, { namespace = 'default' }: Place) {
  const slash = name.indexOf('/')
  if (!namespaced) return { namespace: null, own: name }
  return slash < 0
    ? { namespace, own: name }
    : { namespace: name.slice(0, slash), own: name.slice(slash + 1) }
}

function labelOf({ singular, group }: PlaneTarget, name: string): string {
  return group === '' ? `${singular}/${name}` : `${singular}.${group}/${name}`
}

function read({ client, signal }: Session, path: string) {
  return client.request<JsonObject>({ method: 'GET', path, signal, retry: 'always' })
}

function missing({ kind, plural, cluster }: PlaneTarget, name: string, cause: Error): CliError {
  const below = cluster === 'root' ? '' : ` --cluster ${cluster}`
  return new CliError(`${kind} '${name}' not found: ${cause.message}`, {
    exit: 'notFound',
    cause,
    hint: `'flotilla get ${plural}${below}' lists the existing ones.`,
  })
}
