import type { Schema } from '../model/schema.ts'

const TIME: Schema = { type: 'string', format: 'date-time' }

const OWNER_REFERENCE: Schema = {
  type: 'object',
  description: 'An object that this object depends on, in the same namespace or cluster-scoped.',
  properties: {
    apiVersion: { type: 'string', description: 'API version of the owner.' },
    kind: { type: 'string', description: 'Kind of the owner.' },
    name: { type: 'string', description: 'Name of the owner.' },
    uid: { type: 'string', description: 'UID of the owner.' },
    controller: { type: 'boolean', description: 'Whether the owner is the managing controller.' },
    blockOwnerDeletion: {
      type: 'boolean',
      description: 'Whether a foreground deletion of the owner waits for this object.',
    },
  },
  required: ['apiVersion', 'kind', 'name', 'uid'],
  'x-kubernetes-map-type': 'atomic',
}

const MANAGED_FIELDS_ENTRY: Schema = {
  type: 'object',
  description: 'The fields that one manager set in one way.',
  properties: {
    manager: { type: 'string', description: 'Name of the manager.' },
    operation: { type: 'string', description: '`Apply`, or `Update` for all other writes.' },
    apiVersion: { type: 'string', description: 'API version of the field names.' },
    time: { ...TIME, description: 'Time of the last change of this entry.' },
    fieldsType: { type: 'string', description: 'Format of the fields: `FieldsV1`.' },
    fieldsV1: { type: 'object', description: 'The set of fields in the format FieldsV1.' },
    subresource: {
      type: 'string',
      description: 'Subresource that the manager wrote; empty for the resource itself.',
    },
  },
}

const TEXT_MAP: Schema = { type: 'object', additionalProperties: { type: 'string' } }

/** The schema of `metadata` with the rules for lists that patches and apply follow. */
export const OBJECT_META_SCHEMA: Schema = {
  type: 'object',
  description: 'Metadata that every object has.',
  properties: {
    name: { type: 'string', description: 'Name, unique in the namespace. It cannot change.' },
    generateName: {
      type: 'string',
      description: 'Prefix of a name that the server generates if there is no name.',
    },
    namespace: { type: 'string', description: 'Namespace of the object. It cannot change.' },
    selfLink: { type: 'string', description: 'Deprecated; the server no longer sets it.' },
    uid: { type: 'string', description: 'Unique id in time and space, set by the server.' },
    resourceVersion: {
      type: 'string',
      description: 'Opaque version of the object for concurrent changes and watches.',
    },
    generation: {
      type: 'integer',
      format: 'int64',
      description: 'Number of the current desired state, set by the server.',
    },
    creationTimestamp: { ...TIME, description: 'Time of the creation, set by the server.' },
    deletionTimestamp: {
      ...TIME,
      description: 'Time of the deletion request. The object exists until it has no finalizers.',
    },
    deletionGracePeriodSeconds: {
      type: 'integer',
      format: 'int64',
      description: 'Seconds that the object may take to terminate.',
    },
    labels: { ...TEXT_MAP, description: 'Keys and values that selectors can match.' },
    annotations: { ...TEXT_MAP, description: 'Keys and values that selectors cannot match.' },
    ownerReferences: {
      type: 'array',
      description: 'Objects that this object depends on. Without owners it is garbage-collected.',
      items: OWNER_REFERENCE,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
    },
    finalizers: {
      type: 'array',
      description: 'Names of controllers that must act before the object is removed.',
      items: { type: 'string' },
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    managedFields: {
      type: 'array',
      description: 'Which manager set which fields. The server maintains it.',
      items: MANAGED_FIELDS_ENTRY,
      'x-kubernetes-list-type': 'atomic',
    },
  },
}
