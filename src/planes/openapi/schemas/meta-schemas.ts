import type { Schema } from '../../model/schema.ts'
import {
  API_VERSION,
  atomicList,
  definition,
  flag,
  integer,
  KIND,
  longInteger,
  text,
  textList,
} from '../../native/schemas/field-schemas.ts'
import { OBJECT_META_SCHEMA } from '../../schemas/object-meta-schema.ts'
import { LIST_META, META, OBJECT_META } from './component-names.ts'

/** Names the definitions of the lists in the metadata. */
function withDefinitions(schema: Schema): Schema {
  const { ownerReferences, managedFields, ...rest } = schema.properties ?? {}
  const named = (list: Schema | undefined, kind: string): Schema => ({
    ...list,
    items: { ...list?.items, definition: `${META}.${kind}` },
  })
  return {
    ...schema,
    definition: OBJECT_META,
    properties: {
      ...rest,
      ownerReferences: named(ownerReferences, 'OwnerReference'),
      managedFields: named(managedFields, 'ManagedFieldsEntry'),
    },
  }
}

/** The metadata of objects. */
export const METADATA: Schema = withDefinitions(OBJECT_META_SCHEMA)

/** The metadata of lists. */
export const LIST_METADATA: Schema = definition(LIST_META, {
  description: 'Metadata of a list.',
  properties: {
    continue: text('Token for the next page; empty on the last page.'),
    remainingItemCount: longInteger('Number of objects after this page, if known.'),
    resourceVersion: text('Version of the list. Watches start at it.'),
    selfLink: text('Deprecated; the server no longer sets it.'),
  },
})

const STATUS_CAUSE = definition(`${META}.StatusCause`, {
  description: 'A cause of a failure.',
  properties: {
    field: text('Path of the field.'),
    message: text('Explanation for readers.'),
    reason: text('Reason for programs.'),
  },
})

/** The result of operations without another result. */
export const STATUS: Schema = definition(`${META}.Status`, {
  description: 'The result of an operation, also of a failed one.',
  properties: {
    apiVersion: API_VERSION,
    code: integer('HTTP status code.'),
    details: definition(`${META}.StatusDetails`, {
      description: 'Details of a failure.',
      properties: {
        causes: atomicList(STATUS_CAUSE, 'Causes of the failure.'),
        group: text('Group of the resource.'),
        kind: text('Resource or kind.'),
        name: text('Name of the object.'),
        retryAfterSeconds: integer('Seconds after which clients may retry.'),
        uid: text('UID of the object.'),
      },
    }),
    kind: KIND,
    message: text('Explanation for readers.'),
    metadata: LIST_METADATA,
    reason: text('Reason for programs, such as NotFound.'),
    status: text('Success or Failure.'),
  },
})

/** The options of deletions. */
export const DELETE_OPTIONS: Schema = definition(`${META}.DeleteOptions`, {
  description: 'Options of a deletion.',
  properties: {
    apiVersion: API_VERSION,
    dryRun: textList('All to validate the deletion without performing it.'),
    gracePeriodSeconds: longInteger('Seconds until the deletion; it has no effect here.'),
    ignoreStoreReadErrorWithClusterBreakingPotential: flag('It has no effect here.'),
    kind: KIND,
    orphanDependents: flag('Deprecated: use propagationPolicy.'),
    preconditions: definition(`${META}.Preconditions`, {
      description: 'Conditions that the object must meet.',
      properties: {
        resourceVersion: text('Resource version that the object must have.'),
        uid: text('UID that the object must have.'),
      },
    }),
    propagationPolicy: text('Deletion of dependents: Orphan, Background or Foreground.'),
  },
})

/** A patch in any of the formats. */
export const PATCH: Schema = {
  definition: `${META}.Patch`,
  type: 'object',
  description: 'Changes of an object, in the format of the content type.',
}

/** An event of a watch. */
export const WATCH_EVENT: Schema = definition(`${META}.WatchEvent`, {
  description: 'An event of a watch.',
  properties: {
    object: {
      definition: 'io.k8s.apimachinery.pkg.runtime.RawExtension',
      type: 'object',
      description: 'An object of any kind.',
    },
    type: text('ADDED, MODIFIED, DELETED, BOOKMARK or ERROR.'),
  },
  required: ['type', 'object'],
})

const SCALING = 'io.k8s.api.autoscaling.v1'

/** The body of the scale subresource. */
export const SCALE: Schema = definition(`${SCALING}.Scale`, {
  description: 'The number of replicas of an object.',
  properties: {
    apiVersion: API_VERSION,
    kind: KIND,
    metadata: METADATA,
    spec: definition(`${SCALING}.ScaleSpec`, {
      description: 'The desired number of replicas.',
      properties: { replicas: integer('Desired number of replicas.') },
    }),
    status: definition(`${SCALING}.ScaleStatus`, {
      description: 'The observed number of replicas.',
      properties: {
        replicas: integer('Observed number of replicas.'),
        selector: text('Label selector of the replicas.'),
      },
      required: ['replicas'],
    }),
  },
})
