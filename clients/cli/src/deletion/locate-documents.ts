import { NotFound } from '../../../typescript/src/index.ts'
import { declaredResource } from '../apply/declared-resource.ts'
import type { Document } from '../documents/document.ts'
import { isJsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import { EXIT } from '../errors/exit-codes.ts'
import { locateObject, type Place } from '../objects/locate-object.ts'
import type { LocatedObject } from '../objects/located-object.ts'
import { findPlaneResource } from '../planes/find-plane-resource.ts'
import { ROOT_PLANE } from '../planes/plane-path.ts'
import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'

/** The existing objects of documents, the last one first, so that dependents precede their owners. */
export async function locateDocuments(
  session: Session,
  documents: readonly Document[],
  place: Place,
): Promise<readonly LocatedObject[]> {
  const found: LocatedObject[] = []
  for (const document of [...documents].reverse()) {
    const located = await locateDocument(session, document, place).catch(ifMissing)
    if (located !== null) found.push(located)
    else session.err.write(`${document.source}: ${describe(document)} does not exist.\n`)
  }
  return found
}

async function locateDocument(
  session: Session,
  document: Document,
  place: Place,
): Promise<LocatedObject> {
  const { kind, apiVersion, metadata } = document.content
  if (typeof kind !== 'string') throw invalid(document, 'the object has no kind')
  if (typeof apiVersion !== 'string') {
    const target = await resolveTarget(session, kind)
    if (target.api !== 'hyperfleet') throw invalid(document, `the kind ${kind} needs an apiVersion`)
    const { name, parent } = declaredResource(document, target, place.cluster)
    return await locateObject(session, target, parent === null ? name : `${parent}/${name}`, place)
  }
  const { name, namespace } = isJsonObject(metadata) ? metadata : {}
  if (typeof name !== 'string') throw invalid(document, `this ${kind} has no metadata.name`)
  const { cluster = ROOT_PLANE } = place
  const resource = await findPlaneResource(session, { cluster, apiVersion, kind })
  const target = { api: 'plane', ...resource, singular: kind.toLowerCase(), cluster } as const
  const within = typeof namespace === 'string' ? namespace : place.namespace
  return await locateObject(session, target, name, { cluster, namespace: within })
}

function ifMissing(error: unknown): null {
  if (error instanceof NotFound) return null
  if (error instanceof CliError && error.exitCode === EXIT.notFound) return null
  throw error
}

function describe({ content: { kind, name, metadata } }: Document): string {
  const own = isJsonObject(metadata) ? metadata['name'] : name
  return `${String(kind)} '${String(own)}'`
}

function invalid({ source }: Document, problem: string): CliError {
  return new CliError(`${source}: ${problem}`, { exit: 'usage' })
}
