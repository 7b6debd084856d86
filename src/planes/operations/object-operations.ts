import type { ObjectOperations } from '../model/object-operations.ts'
import type { OperationsContext } from './context.ts'
import { createObject } from './create-object.ts'
import { deleteCollection } from './delete-collection.ts'
import { deleteObject } from './delete-object.ts'
import { listObjects } from './list-objects.ts'
import { patchObject } from './patch-object.ts'
import { readObject } from './read-object.ts'
import { isScale, patchScale, readScale, updateScale } from './scale-object.ts'
import { updateObject } from './update-object.ts'

/** The operations on the objects of all planes. */
export function createObjectOperations(context: OperationsContext): ObjectOperations {
  return {
    get: (_requester, target, options) =>
      isScale(target) ? readScale(context, target, options) : readObject(context, target, options),
    list: (_requester, target, options) => listObjects(context, target, options),
    create: (requester, target, input, options = {}) =>
      createObject(context, requester, target, { input, options }),
    update: (requester, target, input, options = {}) =>
      (isScale(target) ? updateScale : updateObject)(context, requester, target, {
        input,
        options,
      }),
    patch: async (requester, target, patch, options = {}) => {
      if (!isScale(target)) return patchObject(context, requester, target, { patch, options })
      return {
        object: await patchScale(context, requester, target, { patch, options }),
        isNew: false,
      }
    },
    delete: (requester, target, options) => deleteObject(context, requester, target, options),
    deleteCollection: (requester, target, selection, options = {}) =>
      deleteCollection(context, requester, target, { selection, options }),
  }
}
