import type { ObjectQuery } from '../../../store/objects/model/object-query.ts'
import type { StoredObject } from '../../../store/objects/model/stored-object.ts'
import type { ApiObject } from '../../model/api-object.ts'
import { objectNotFound } from '../../errors/failures.ts'
import type { Target } from '../../model/object-operations.ts'
import { resourceKey } from '../../model/resource-type.ts'
import type { OperationsContext } from '../context.ts'
import { keyOf } from '../object-key.ts'
import { listAtRevision, parseRevision, type RevisionOptions } from './required-revision.ts'
import { oneToVersion } from '../versioned-object.ts'

/** Reads an object. 404 if it does not exist. */
export async function readObject(
  context: OperationsContext,
  target: Target,
  options: RevisionOptions = { wait: undefined },
): Promise<ApiObject> {
  const stored =
    parseRevision(options.resourceVersion) > 0n
      ? await readAtRevision(context, target, options)
      : await context.storeOf(target.type).read(keyOf(target))
  if (!stored) throw objectNotFound(target.type, target.name)
  return oneToVersion(context, target, stored)
}

/** The object of a list that the plane's revision limits; undefined if it does not exist. */
async function readAtRevision(
  { storeOf }: OperationsContext,
  target: Target,
  options: RevisionOptions,
): Promise<StoredObject | undefined> {
  const page = await listAtRevision(storeOf(target.type), queryByName(target), options)
  return page.objects[0]
}

/** The list whose only object has the name of the target. */
export function queryByName({ plane, type, namespace, name }: Target): ObjectQuery {
  const byName = { operator: 'equals', field: 'metadata.name', value: name } as const
  return {
    plane,
    resource: resourceKey(type),
    namespace,
    selector: { labels: [], fields: [byName] },
    limit: 1,
    after: null,
  }
}
