import type { ApiObject } from '../../model/api-object.ts'
import { objectNotFound } from '../../errors/failures.ts'
import type { ReadOptions, Target } from '../../model/object-operations.ts'
import { resourceKey } from '../../model/resource-type.ts'
import type { OperationsContext } from '../context.ts'
import { keyOf } from '../object-key.ts'
import { parseRevision, readAtRevision } from './required-revision.ts'
import { oneToVersion } from '../versioned-object.ts'

/** Reads an object. 404 if it does not exist. */
export async function readObject(
  context: OperationsContext,
  target: Target,
  options: ReadOptions = {},
): Promise<ApiObject> {
  const store = context.storeOf(target.type)
  if (parseRevision(options.resourceVersion) > 0n) await waitForPlane(context, target, options)
  const stored = await store.read(keyOf(target))
  if (!stored) throw objectNotFound(target.type, target.name)
  return oneToVersion(context, target, stored)
}

async function waitForPlane(
  { storeOf }: OperationsContext,
  { plane, type, namespace, name }: Target,
  options: ReadOptions,
): Promise<void> {
  const byName = { operator: 'equals', field: 'metadata.name', value: name } as const
  const query = {
    plane,
    resource: resourceKey(type),
    namespace,
    selector: { labels: [], fields: [byName] },
    limit: 1,
    after: null,
  }
  await readAtRevision(options, () => storeOf(type).list(query))
}
