import type { ApiObject } from '../../model/api-object.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import { isObjectNotFound } from '../client/api-failures.ts'
import type { PlaneClient, ResourceName } from '../client/plane-client.ts'
import { emptyNamespace } from './empty-namespace.ts'
import { type EmptyingResult, namespaceConditions } from './namespace-conditions.ts'
import { objectOf } from '../../../lib/json/json-fields.ts'

export const NAMESPACES: ResourceName = { group: '', version: 'v1', plural: 'namespaces' }
const FINALIZER = 'kubernetes'

/** `remaining` if objects with finalizers, or objects that could not be deleted, remain. */
export type NamespaceResult = 'done' | 'remaining'

/**
 * Empties a namespace whose deletion has begun, and removes its finalizer when it is empty. Reports
 * remaining content in its conditions.
 */
export async function finishNamespace(
  client: PlaneClient,
  name: string,
  now: () => Date,
): Promise<NamespaceResult> {
  const namespace = await readNamespace(client, name)
  if (namespace === null || namespace.metadata.deletionTimestamp === undefined) return 'done'
  if (!finalizersOf(namespace).includes(FINALIZER)) return 'done'
  // The content of a reset plane belongs to another namespace.
  const fenced = client.whileExists(NAMESPACES, namespace)
  const result = await emptyNamespace(fenced, name)
  const reported = await report(client, namespace, { result, now: now() })
  if (!isEmptied(result)) return 'remaining'
  const finalizers = finalizersOf(reported).filter((each) => each !== FINALIZER)
  const spec = { ...objectOf(reported['spec']), finalizers }
  await client.updateSubresource(NAMESPACES, 'finalize', { ...reported, spec })
  return 'done'
}

function isEmptied({ discoveryError, deletionErrors, remaining }: EmptyingResult): boolean {
  return discoveryError === null && deletionErrors.length === 0 && remaining.isEmpty
}

async function report(
  client: PlaneClient,
  namespace: ApiObject,
  { result, now }: { readonly result: EmptyingResult; readonly now: Date },
): Promise<ApiObject> {
  const status = objectOf(namespace['status'])
  const current = Array.isArray(status['conditions']) ? status['conditions'] : []
  // A namespace that was emptied without delay has no conditions.
  if (isEmptied(result) && current.length === 0) return namespace
  const conditions = namespaceConditions(current, result, now)
  const isUnchanged =
    conditions.length === current.length &&
    conditions.every((condition) => current.includes(condition))
  if (isUnchanged && status['phase'] === 'Terminating') return namespace
  const next = { ...namespace, status: { ...status, phase: 'Terminating', conditions } }
  return client.updateSubresource(NAMESPACES, 'status', next)
}

async function readNamespace(client: PlaneClient, name: string): Promise<ApiObject | null> {
  try {
    return await client.get(NAMESPACES, { namespace: '', name })
  } catch (error) {
    if (isObjectNotFound(error, name)) return null
    throw error
  }
}

function finalizersOf({ spec }: ApiObject): readonly JsonValue[] {
  const { finalizers } = objectOf(spec)
  return Array.isArray(finalizers) ? finalizers : []
}
