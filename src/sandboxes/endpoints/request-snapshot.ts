import { isJsonObject } from 'flotilla'
import type { ApiObject, EndpointRequest } from 'flotilla/planes'
import { AGENTS_API_VERSION, SNAPSHOT_DATA_FINALIZER } from '../types/sandbox-groups.ts'
import type { EndpointParts } from './endpoint-parts.ts'
import { snapshotTarget } from './sandbox-target.ts'

const NAME_DIGITS = 8

/** Creates the Snapshot object that asks the controller for a snapshot of a running workload. */
export function requestSnapshot(
  { objects, randomDigits }: EndpointParts,
  { requester, target }: EndpointRequest,
  { sandbox, name: given = '' }: { readonly sandbox: ApiObject; readonly name?: string },
): Promise<ApiObject> {
  const name = given === '' ? `${target.name}-${randomDigits(NAME_DIGITS)}` : given
  const { uid = '' } = sandbox.metadata
  const owner = {
    apiVersion: AGENTS_API_VERSION,
    kind: 'Sandbox',
    name: target.name,
    uid,
    controller: true,
  }
  const snapshot: ApiObject = {
    apiVersion: AGENTS_API_VERSION,
    kind: 'Snapshot',
    metadata: {
      name,
      namespace: target.namespace,
      finalizers: [SNAPSHOT_DATA_FINALIZER],
      ...(isDeletedWithSandbox(sandbox) && { ownerReferences: [owner] }),
    },
    spec: { sandboxRef: { name: target.name, uid } },
  }
  return objects().create(requester, snapshotTarget(target, ''), snapshot)
}

function isDeletedWithSandbox({ spec }: ApiObject): boolean {
  const policy = isJsonObject(spec) ? spec['snapshotPolicy'] : undefined
  return !isJsonObject(policy) || policy['deleteWithSandbox'] !== false
}
