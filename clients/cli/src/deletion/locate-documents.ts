import { NotFound } from '../../../typescript/src/index.ts'
import { declaredResource } from '../apply/declared-resource.ts'
import type { Document } from '../documents/document.ts'
import { refusePlaneObjects } from '../documents/refuse-plane-objects.ts'
import { CliError } from '../errors/cli-error.ts'
import { EXIT } from '../errors/exit-codes.ts'
import { locateObject, type Place } from '../objects/locate-object.ts'
import type { LocatedObject } from '../objects/located-object.ts'
import type { Session } from '../session/session.ts'
import { resolveTarget } from '../targets/resolve-target.ts'

/** The existing objects of documents, the last one first, so that dependents precede their owners. */
export async function locateDocuments(
  session: Session,
  documents: readonly Document[],
  place: Place,
): Promise<readonly LocatedObject[]> {
  refusePlaneObjects(documents, { kubectl: 'delete -f FILE', cluster: place.cluster })
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
  const { kind } = document.content
  if (typeof kind !== 'string') {
    throw new CliError(`${document.source}: the object has no kind`, { exit: 'usage' })
  }
  const target = await resolveTarget(session, kind, { kubectl: 'delete -f FILE' })
  const { name, parent } = declaredResource(document, target, place.cluster)
  const path = parent === null ? name : `${parent}/${name}`
  return await locateObject(session, target, { ...place, name: path })
}

function ifMissing(error: unknown): null {
  if (error instanceof NotFound) return null
  if (error instanceof CliError && error.exitCode === EXIT.notFound) return null
  throw error
}

function describe({ content: { kind, name } }: Document): string {
  return `${String(kind)} '${String(name)}'`
}
