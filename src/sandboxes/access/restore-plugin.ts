import { objectOf, optionalText } from 'flotilla'
import {
  type AdmissionPlugin,
  type AdmissionRequest,
  objectForbidden,
  type PlaneAuthorizer,
  resourceKey,
  type StoredObject,
  storedObject,
} from 'flotilla/planes'
import { snapshotOf } from '../model/snapshot.ts'
import { AGENTS_GROUP, AGENTS_VERSION } from '../types/sandbox-groups.ts'
import { SANDBOX_TYPE } from '../types/sandbox-type.ts'
import { SNAPSHOT_TYPE } from '../types/snapshot-type.ts'

interface Parts {
  readonly authorizer: PlaneAuthorizer
  readonly read: (key: {
    readonly plane: string
    readonly resource: string
    readonly namespace: string
    readonly name: string
  }) => Promise<StoredObject | null>
}

/**
 * Rejects sandboxes that begin with a snapshot unless their author may `create snapshots/restore`
 * on it, or `create sandboxes/fork` on the sandbox of the snapshot.
 */
export function createRestorePlugin(parts: Parts): AdmissionPlugin {
  return {
    validate: async (request) => {
      const { type, operation, object, subresource } = request
      if (operation !== 'CREATE' || subresource !== '' || object === null) return
      if (resourceKey(type) !== resourceKey(SANDBOX_TYPE)) return
      const { restoreFrom } = objectOf(object['spec'])
      const snapshot = optionalText(objectOf(restoreFrom)['snapshotName'])
      if (snapshot === null || (await mayRestore(parts, request, snapshot))) return
      const user = JSON.stringify(request.user.name)
      const detail = `user ${user} cannot create resource "snapshots/restore" for the snapshot ${JSON.stringify(snapshot)}, which spec.restoreFrom needs`
      throw objectForbidden(type, request.name, detail)
    },
  }
}

async function mayRestore(
  parts: Parts,
  request: AdmissionRequest,
  snapshot: string,
): Promise<boolean> {
  const restore = { plural: SNAPSHOT_TYPE.plural, subresource: 'restore', name: snapshot }
  if (await mayCreate(parts, request, restore)) return true
  const source = await sourceOf(parts, request, snapshot)
  const fork = { plural: SANDBOX_TYPE.plural, subresource: 'fork' }
  return source !== null && (await mayCreate(parts, request, { ...fork, name: source }))
}

/** The name of the sandbox of a snapshot; null if the snapshot does not exist. */
async function sourceOf(
  { read }: Parts,
  { plane, namespace }: AdmissionRequest,
  name: string,
): Promise<string | null> {
  const resource = resourceKey(SNAPSHOT_TYPE)
  const found = await read({ plane, resource, namespace, name })
  return found && snapshotOf(storedObject(found)).sandbox.name
}

async function mayCreate(
  { authorizer }: Parts,
  { plane, user, namespace }: AdmissionRequest,
  target: { readonly plural: string; readonly subresource: string; readonly name: string },
): Promise<boolean> {
  const resource = { group: AGENTS_GROUP, version: AGENTS_VERSION, namespace, ...target }
  const { allowed } = await authorizer.authorize({
    plane,
    user,
    verb: 'create',
    resource,
    path: '',
  })
  return allowed
}
