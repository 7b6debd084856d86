// oxlint-disable max-params -- the public interface ObjectOperations has these parameters
import type { ObjectOperations } from '../model/object-operations.ts'
import type { OperationsContext } from './context.ts'
import { createObject } from './writes/create-object.ts'
import { deleteCollection } from './writes/delete-collection.ts'
import { deleteObject } from './writes/delete-object.ts'
import { listObjects } from './reads/list-objects.ts'
import { patchObject } from './writes/patch-object.ts'
import { readObject } from './reads/read-object.ts'
import { isScale, patchScale, readScale, updateScale } from './writes/scale-object.ts'
import { updateObject } from './writes/update-object.ts'

/** The operations on the objects of all planes. */
export function createObjectOperations(context: OperationsContext): ObjectOperations {
  return {
    get: ({ wait }, target, options) =>
      (isScale(target) ? readScale : readObject)(context, target, { ...options, wait }),
    list: ({ wait }, target, options) => listObjects(context, target, { ...options, wait }),
    create: (requester, target, input, options = {}) =>
      createObject(context, { requester, target, input, options }),
    update: (requester, target, input, options = {}) =>
      (isScale(target) ? updateScale : updateObject)(context, {
        requester,
        target,
        input,
        options,
      }),
    patch: async (requester, target, patch, options = {}) => {
      const request = { requester, target, patch, options }
      if (!isScale(target)) return patchObject(context, request)
      return { object: await patchScale(context, request), isNew: false }
    },
    delete: (requester, target, options = {}) =>
      deleteObject(context, { requester, target, options }),
    deleteCollection: (requester, target, selection, options = {}) =>
      deleteCollection(context, { requester, target, selection, options }),
  }
}
