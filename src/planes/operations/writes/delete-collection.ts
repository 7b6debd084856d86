import type { ApiList, ApiObject } from '../../model/api-object.ts'
import type {
  DeleteOptions,
  ListOptions,
  Requester,
  Target,
} from '../../model/object-operations.ts'
import type { OperationsContext } from '../context.ts'
import { deleteObject, isGone } from './delete-object.ts'
import { listObjects } from '../reads/list-objects.ts'

const PAGE_SIZE = 500

interface CollectionDeletion {
  readonly requester: Requester
  readonly target: Target
  readonly selection: ListOptions
  readonly options: DeleteOptions
}

/**
 * Deletes the objects of a list one by one, page by page. Returns those that it deleted. With a
 * limit, deletes at most that number.
 */
export async function deleteCollection(
  context: OperationsContext,
  { requester, target, selection, options }: CollectionDeletion,
): Promise<ApiList> {
  const deleted: ApiObject[] = []
  const { wait } = requester
  let next = selection.continue ?? ''
  for (;;) {
    const limit = selection.limit ?? PAGE_SIZE
    const page = await listObjects(context, target, { ...selection, limit, continue: next, wait })
    for (const object of page.items) {
      const removed = await deleteListed(context, requester, { target, object, options })
      if (removed) deleted.push(removed)
    }
    next = page.metadata.continue ?? ''
    if (next === '' || selection.limit !== undefined) return { ...page, items: deleted }
  }
}

interface Listed {
  readonly target: Target
  readonly object: ApiObject
  readonly options: DeleteOptions
}

/** Returns null if another caller has removed the object. */
async function deleteListed(
  context: OperationsContext,
  requester: Requester,
  { target, object, options }: Listed,
): Promise<ApiObject | null> {
  const { name = '', namespace = '', uid } = object.metadata
  const preconditions = { ...(uid !== undefined && { uid }), ...options.preconditions }
  try {
    const one = { ...target, namespace, name }
    const request = { requester, target: one, options: { ...options, preconditions } }
    return (await deleteObject(context, request)).object
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}
