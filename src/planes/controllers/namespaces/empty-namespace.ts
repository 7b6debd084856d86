import type { ApiObject } from '../../model/api-object.ts'
import { errorMessage } from '../../../lib/error-message.ts'
import { isObjectNotFound } from '../client/api-failures.ts'
import type { PlaneClient, ServedResource } from '../client/plane-client.ts'
import { contentStages } from './content-stages.ts'
import type { EmptyingResult } from './namespace-conditions.ts'
import { RemainingContent } from './remaining-content.ts'

/** Deletes the content of a namespace, and reports the objects that remain. */
export async function emptyNamespace(
  client: PlaneClient,
  namespace: string,
): Promise<EmptyingResult> {
  const remaining = new RemainingContent()
  const deletionErrors: string[] = []
  let resources: readonly ServedResource[]
  try {
    resources = await client.resources()
  } catch (error) {
    return { discoveryError: errorMessage(error), deletionErrors, remaining }
  }
  for (const stage of contentStages(resources)) {
    // A stage begins when the one before it is complete.
    const isNext = remaining.isEmpty && deletionErrors.length === 0
    for (const resource of stage) {
      try {
        if (isNext) await deleteAll(client, resource, namespace)
        await countRemaining({ client, resource, namespace }, remaining)
      } catch (error) {
        deletionErrors.push(errorMessage(error))
      }
    }
  }
  return { discoveryError: null, deletionErrors, remaining }
}

async function deleteAll(
  client: PlaneClient,
  resource: ServedResource,
  namespace: string,
): Promise<void> {
  if (!(await hasObjects(client, resource, namespace))) return
  // Background removes an orphan finalizer: the dependents are deleted too.
  const options = { propagationPolicy: 'Background' } as const
  if (resource.verbs.includes('deletecollection')) {
    return client.deleteCollection(resource, { namespace }, options)
  }
  for await (const page of client.pages(resource, { namespace })) {
    for (const { metadata } of page.items) {
      const { name = '', uid = '' } = metadata
      await client
        .delete(resource, { namespace, name }, { ...options, preconditions: { uid } })
        .catch((error: unknown) => ignoreMissing(error, name))
    }
  }
}

function ignoreMissing(error: unknown, name: string): void {
  if (!isObjectNotFound(error, name)) throw error
}

async function hasObjects(
  client: PlaneClient,
  resource: ServedResource,
  namespace: string,
): Promise<boolean> {
  for await (const page of client.pages(resource, { namespace, pageSize: 1 })) {
    return page.items.length > 0
  }
  return false
}

interface Content {
  readonly client: PlaneClient
  readonly resource: ServedResource
  readonly namespace: string
}

async function countRemaining(
  { client, resource, namespace }: Content,
  remaining: RemainingContent,
): Promise<void> {
  for await (const page of client.pages(resource, { namespace })) {
    for (const object of page.items satisfies readonly ApiObject[]) remaining.add(resource, object)
  }
}
