import type { Schema } from '../../model/schema.ts'
import { definition, text } from './field-schemas.ts'

/** A reference to an object in the same namespace. */
export const LOCAL_OBJECT_REFERENCE: Schema = {
  ...definition('io.k8s.api.core.v1.LocalObjectReference', {
    description: 'Names an object in the same namespace.',
    properties: { name: text('Name of the object.') },
  }),
  'x-kubernetes-map-type': 'atomic',
}

/** A reference to any object. */
export const OBJECT_REFERENCE: Schema = {
  ...definition('io.k8s.api.core.v1.ObjectReference', {
    description: 'Names an object of any kind.',
    properties: {
      apiVersion: text('Group and version of the object.'),
      fieldPath: text('Path of the part that is meant, such as `spec.containers{name}`.'),
      kind: text('Kind of the object.'),
      name: text('Name of the object.'),
      namespace: text('Namespace of the object.'),
      resourceVersion: text('Resource version of the object that is meant, if it matters.'),
      uid: text('UID of the object.'),
    },
  }),
  'x-kubernetes-map-type': 'atomic',
}
