import { NotFound } from '../../../typescript/src/index.ts'
import { isJsonObject, type JsonObject } from '../documents/json-object.ts'
import type { LocatedObject } from '../objects/located-object.ts'
import type { Session } from '../session/session.ts'
import type { Resource } from '../targets/resource.ts'
import { readiness } from '../waiting/readiness.ts'

/** An object that a command has deleted, as it was before. */
export type Removal = Pick<LocatedObject, 'label' | 'path' | 'object'>

/** The adapters or finalizers that block the removal of an object; null if the object is gone. */
export async function removalText(
  session: Session,
  { path, label, object }: Removal,
): Promise<string | null> {
  const { client, signal } = session
  const request = { method: 'GET', path, signal, retry: 'always' } as const
  const current = await client.request<JsonObject>(request).catch((error: unknown) => {
    if (error instanceof NotFound) return null
    throw error
  })
  if (current === null || isAnother(object, current.body)) return null
  const { body } = current
  return isResource(body)
    ? await resourceText(session, label, body)
    : `${label} waits for ${finalizersOf(body)}`
}

async function resourceText(
  session: Session,
  label: string,
  resource: Resource,
): Promise<string | null> {
  const found = await readiness(session, resource, await session.kinds())
  if (found === null) return null
  const { requirements } = found
  const waiting = requirements
    .filter(({ state }) => state !== 'satisfied')
    .map((one) => one.adapter)
  const done = requirements.length - waiting.length
  const adapters = `${label}: adapters ${done} of ${requirements.length} finalized`
  if (waiting.length === 0) return `${adapters}, waiting for its children`
  return `${adapters}, waiting for ${waiting.join(', ')}`
}

/** An object of this name that was created later. */
function isAnother(before: JsonObject, now: JsonObject): boolean {
  return uidOf(before) !== uidOf(now)
}

function uidOf({ id, metadata }: JsonObject): unknown {
  return isJsonObject(metadata) ? metadata['uid'] : id
}

function finalizersOf({ metadata }: JsonObject): string {
  const finalizers = isJsonObject(metadata) ? metadata['finalizers'] : null
  return Array.isArray(finalizers) && finalizers.length > 0 ? finalizers.join(', ') : 'the server'
}

/** Objects of planes have no `id`. */
function isResource(body: JsonObject): body is JsonObject & Resource {
  return typeof body['id'] === 'string' && isJsonObject(body['status'])
}
