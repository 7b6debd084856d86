import { Conflict } from '../../../../typescript/src/errors/status-errors.ts'
import type { UnknownObject } from '../../../../typescript/src/http/json.ts'
import { isEqual } from '../../edit/json/is-equal.ts'
import { editableObject, updateOf } from '../../kube/editable-object.ts'
import type { KubeObject } from '../../kube/kube-object.ts'
import { listPath, objectPath } from '../../kube/object-path.ts'
import type { PlaneKind } from '../../kube/plane-kind.ts'
import { client } from '../../session/connection.ts'

/** An object of a plane. */
export interface ObjectTarget {
  readonly plane: string
  readonly kind: Pick<PlaneKind, 'group' | 'version' | 'plural'>
  readonly namespace: string
  readonly name: string
}

const STRICT = { fieldValidation: 'Strict', fieldManager: 'flotilla-console' } as const

/** Reads the current version. */
export function readObject({ plane, kind, ...target }: ObjectTarget): Promise<UnknownObject> {
  return client.plane(plane).request({ method: 'GET', path: objectPath(kind, target) })
}

/** The result of an update: the new version, or that of another client that was faster. */
export type UpdateResult =
  | { readonly saved: UnknownObject; readonly theirs: null }
  | { readonly saved: null; readonly theirs: UnknownObject }

/**
 * Writes an edit that is based on a version. Concurrent changes of the status are no conflict, since
 * the edit does not contain it.
 */
export async function updateObject(
  target: ObjectTarget,
  edited: UnknownObject,
  version: UnknownObject,
): Promise<UpdateResult> {
  let base = version
  for (;;) {
    try {
      return { saved: await put(target, updateOf(edited, base)), theirs: null }
    } catch (error) {
      if (!(error instanceof Conflict)) throw error
      const theirs = await readObject(target)
      if (!isEqual(editableObject(theirs), editableObject(version))) return { saved: null, theirs }
      base = theirs
    }
  }
}

/** Validates an edit without writing it. */
export async function validateUpdate(
  target: ObjectTarget,
  edited: UnknownObject,
  signal: AbortSignal,
): Promise<void> {
  // Without the version, which may be older than the object.
  await put(target, edited, { query: { dryRun: 'All' }, signal })
}

interface PutOptions {
  readonly query?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

function put(
  { plane, kind, ...target }: ObjectTarget,
  body: UnknownObject,
  { query, signal }: PutOptions = {},
): Promise<UnknownObject> {
  const path = objectPath(kind, target)
  const all = { ...STRICT, ...query }
  return client.plane(plane).request({ method: 'PUT', path, body, query: all, signal })
}

/** Creates an object in a namespace, or only validates it. */
export function createObject(
  { plane, kind, namespace }: Omit<ObjectTarget, 'name'>,
  body: UnknownObject,
  options: { readonly isDryRun?: boolean; readonly signal?: AbortSignal } = {},
): Promise<KubeObject> {
  const query = options.isDryRun === true ? { ...STRICT, dryRun: 'All' } : STRICT
  const path = listPath(kind, namespace)
  const { signal } = options
  return client.plane(plane).request({ method: 'POST', path, body, query, signal })
}

/** Requests the deletion of an object with a UID, so that a new one of its name is safe. */
export async function deleteObject(
  { plane, kind, ...target }: ObjectTarget,
  {
    uid,
    propagationPolicy,
  }: { readonly uid: string | undefined; readonly propagationPolicy: string },
): Promise<void> {
  const path = objectPath(kind, target)
  const preconditions = uid === undefined ? {} : { preconditions: { uid } }
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy, ...preconditions }
  await client.plane(plane).request({ method: 'DELETE', path, body })
}
