import { type ApiError, Conflict, NotFound } from '../../../typescript/src/index.ts'
import { isJsonObject, type JsonObject } from '../documents/json-object.ts'
import { CliError } from '../errors/cli-error.ts'
import { objectPath } from '../planes/object-path.ts'
import type { PlaneResource } from '../planes/find-plane-resource.ts'
import type { Session } from '../session/session.ts'
import type { Applicable } from './applicable.ts'
import { objectContent } from './object-content.ts'

const APPLY_PATCH = 'application/apply-patch+yaml'
const FIELD_MANAGER = 'flotilla'

/** An object of a plane, as a file declares it. */
export interface DeclaredObject {
  readonly cluster: string
  /** For resources with namespaces whose object names none. */
  readonly namespace: string
  readonly name: string
  readonly body: JsonObject
  readonly forceConflicts: boolean
}

interface Parts {
  readonly declared: DeclaredObject
  /** The resource of its type, which a definition of the same files may add. */
  readonly resource: () => Promise<PlaneResource>
}

/** An object of a plane, which is written by server-side apply. */
export function applicableObject(session: Session, { declared, resource }: Parts): Applicable {
  const { client, signal } = session
  const { name, forceConflicts } = declared
  const pathOf = async () => objectPath(placeOf(declared, await resource()), name)
  const patch = async (body: JsonObject, dryRun?: 'All') => {
    const query = {
      fieldManager: FIELD_MANAGER,
      force: forceConflicts,
      fieldValidation: 'Strict',
      dryRun,
    }
    const headers = { 'Content-Type': APPLY_PATCH }
    const path = await pathOf()
    const request = {
      method: 'PATCH',
      path,
      body,
      headers,
      query,
      signal,
      retry: 'always',
    } as const
    return await client.request<JsonObject>(request)
  }
  return {
    label: `${singularOf(declared)}/${name}`,
    plan: async () => {
      const path = await pathOf()
      const request = { method: 'GET', path, signal, retry: 'always' } as const
      const current = await client.request<JsonObject>(request).catch(ifMissing)
      const changed = await patch(declared.body, 'All').catch(explainConflict)
      return {
        before: current === null ? null : objectContent(current.body),
        after: objectContent(changed.body),
        current: current?.body ?? null,
        result: changed.body,
        version: current === null ? null : versionOf(current.body),
      }
    },
    write: async ({ version }) => {
      const body = version === null ? declared.body : withVersion(declared.body, version)
      const response = await patch(body).catch(ifChanged)
      if (response === null) return null
      const isSame = versionOf(response.body) === version
      const outcome = response.status === 201 ? 'created' : isSame ? 'unchanged' : 'updated'
      return { outcome, object: response.body }
    },
  }
}

function placeOf(
  { cluster, namespace, body }: DeclaredObject,
  { namespaced, ...rest }: PlaneResource,
) {
  const own = isJsonObject(body['metadata']) ? body['metadata']['namespace'] : undefined
  const named = typeof own === 'string' ? own : namespace
  return { ...rest, cluster, namespace: namespaced ? named : null }
}

/** `configmap` or `fleet.kplane.dev`, as kubectl prints it. */
function singularOf({ body }: DeclaredObject): string {
  const [group = '', version] = String(body['apiVersion']).split('/')
  const kind = String(body['kind']).toLowerCase()
  return version === undefined ? kind : `${kind}.${group}`
}

function withVersion(body: JsonObject, resourceVersion: string): JsonObject {
  const metadata = isJsonObject(body['metadata']) ? body['metadata'] : {}
  return { ...body, metadata: { ...metadata, resourceVersion } }
}

function versionOf({ metadata }: JsonObject): string {
  return String(isJsonObject(metadata) ? metadata['resourceVersion'] : '')
}

function ifMissing(error: unknown): null {
  if (error instanceof NotFound) return null
  throw error
}

function ifChanged(error: unknown): null {
  if (error instanceof Conflict && !isFieldConflict(error)) return null
  return explainConflict(error)
}

function explainConflict(error: unknown): never {
  if (!isFieldConflict(error)) throw error
  throw new CliError(error.message, {
    cause: error,
    details: error.errors.map(({ field, message }) => `  ${field}: ${message}`),
    hint: 'Another program owns these fields. Remove them from the file, or take them over with --force-conflicts.',
  })
}

function isFieldConflict(error: unknown): error is ApiError {
  return (
    error instanceof Conflict &&
    error.errors.some((one) => one.constraint === 'FieldManagerConflict')
  )
}
