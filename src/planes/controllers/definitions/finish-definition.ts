import type { ApiObject } from '../../model/api-object.ts'
import { isObjectNotFound } from '../client/api-failures.ts'
import type { PlaneClient, ResourceName } from '../client/plane-client.ts'
import {
  acceptedNames,
  instancesOf,
  isTrue,
  withCondition,
} from '../../definitions/acceptance/definition-state.ts'
import { objectOf } from '../../../lib/json/json-fields.ts'

export const DEFINITIONS: ResourceName = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
}
const FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'
/** Until then, other servers may still create instances. */
const CREATION_GRACE_MS = 1000

/** `remaining` if instances remain, or if other servers may still create some. */
export type DefinitionResult = 'done' | 'remaining'

/**
 * Deletes the instances of a definition whose deletion has begun, and removes its finalizer when
 * none remain.
 */
export async function finishDefinition(
  client: PlaneClient,
  definition: ApiObject,
  now: Date,
): Promise<DefinitionResult> {
  const { finalizers = [], deletionTimestamp = '' } = definition.metadata
  if (!finalizers.includes(FINALIZER)) return 'done'
  const isServed = isTrue(definition, 'Established') && acceptedNames(definition).plural !== ''
  const resource = isServed ? instancesOf(definition) : null
  // The instances of a reset plane belong to another definition.
  const fenced = client.whileExists(DEFINITIONS, definition)
  const remaining = resource === null ? 0 : await deleteInstances(fenced, resource)
  if (remaining > 0) {
    await report(client, definition, { remaining, now })
    return 'remaining'
  }
  if (isServed && now.getTime() - Date.parse(deletionTimestamp) < CREATION_GRACE_MS)
    return 'remaining'
  const others = finalizers.filter((each) => each !== FINALIZER)
  const metadata = { ...definition.metadata, finalizers: others }
  await client.update(DEFINITIONS, { ...definition, metadata })
  return 'done'
}

/** The number of instances that still exist because finalizers delay their removal. */
async function deleteInstances(client: PlaneClient, resource: ResourceName): Promise<number> {
  let remaining = 0
  for await (const page of client.pages(resource)) {
    for (const { metadata } of page.items) {
      const { name = '', namespace = '', uid = '', finalizers = [] } = metadata
      if (metadata.deletionTimestamp === undefined) {
        await client
          .delete(resource, { namespace, name }, { preconditions: { uid } })
          .catch((error: unknown) => ignoreMissing(error, name))
      }
      if (finalizers.length > 0) remaining += 1
    }
  }
  return remaining
}

function ignoreMissing(error: unknown, name: string): void {
  if (!isObjectNotFound(error, name)) throw error
}

async function report(
  client: PlaneClient,
  definition: ApiObject,
  { remaining, now }: { readonly remaining: number; readonly now: Date },
): Promise<void> {
  const condition = {
    type: 'Terminating',
    status: 'True',
    reason: 'InstanceDeletionInProgress',
    message: `CustomResource deletion is in progress: ${remaining} instances have finalizers`,
  }
  const status = withCondition(objectOf(definition['status']), condition, now)
  await client.updateSubresource(DEFINITIONS, 'status', { ...definition, status })
}
