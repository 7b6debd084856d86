import { randomUUID } from 'node:crypto'
import type { ObjectContent } from '../../../store/objects/model/object-write.ts'
import { must } from '../../../lib/assert.ts'
import type { ApiObject } from '../../model/api-object.ts'
import type { WriteContext } from '../../model/native-resource.ts'
import type { Target } from '../../model/object-operations.ts'
import { apiVersionOf, resourceKey } from '../../model/resource-type.ts'
import type { OperationsContext } from '../context.ts'
import { requireSize } from './require-size.ts'
import { bodyOf } from '../versioned-object.ts'
import { nativeOf } from '../write-context.ts'

/** The content of an object in its storage version. */
export async function contentOf(
  { convert }: Pick<OperationsContext, 'convert'>,
  { plane, type, namespace }: Target,
  object: ApiObject,
): Promise<ObjectContent> {
  const isStored = object.apiVersion === apiVersionOf(type.group, type.storageVersion)
  const [stored] = isStored
    ? [object]
    : await convert([object], { type, version: type.storageVersion })
  const { uid, name, managedFields = [] } = object.metadata
  const key = { plane, resource: resourceKey(type), namespace, name: must(name, 'a name') }
  const body = bodyOf(must(stored, 'an object'))
  return requireSize({ key, uid: must(uid, 'a uid'), body, managedFields })
}

/** The contents of the objects that the commit of a creation also creates. */
export function companionContents(
  context: Pick<OperationsContext, 'natives'>,
  { target, next }: { readonly target: Target; readonly next: ApiObject },
  circumstances: WriteContext,
): readonly ObjectContent[] {
  const companions = nativeOf(context, target)?.strategy?.companions?.(next, circumstances) ?? []
  return companions.flatMap((companion) => companionContent(context, target.plane, companion))
}

/** Empty if the program does not serve the companion's resource. */
function companionContent(
  { natives }: Pick<OperationsContext, 'natives'>,
  plane: string,
  object: ApiObject,
): readonly ObjectContent[] {
  const { uid = randomUUID(), name, namespace = '' } = object.metadata
  const [resource] = [...natives].find(([, { type }]) => type.kind === object.kind) ?? []
  if (resource === undefined) return []
  const key = { plane, resource, namespace, name: must(name, 'a name') }
  const body = bodyOf({ ...object, metadata: { ...object.metadata, uid } })
  return [{ key, uid, body, managedFields: [] }]
}
