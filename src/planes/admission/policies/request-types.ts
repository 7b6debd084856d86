import {
  BOOL,
  DYN,
  INT,
  listOf,
  mapOf,
  STRING,
  struct,
  TIMESTAMP,
  type Type,
} from '../../../lib/cel/types/type.ts'

function declared(name: string, fields: Readonly<Record<string, Type>>): Type {
  return struct(`kubernetes.${name}`, new Map(Object.entries(fields)))
}

const KIND = declared('GroupVersionKind', { group: STRING, version: STRING, kind: STRING })
const RESOURCE = declared('GroupVersionResource', {
  group: STRING,
  version: STRING,
  resource: STRING,
})

/** The variable `request` of policies. */
export const REQUEST_TYPE = declared('AdmissionRequest', {
  kind: KIND,
  resource: RESOURCE,
  subResource: STRING,
  requestKind: KIND,
  requestResource: RESOURCE,
  requestSubResource: STRING,
  name: STRING,
  namespace: STRING,
  operation: STRING,
  userInfo: declared('UserInfo', {
    username: STRING,
    uid: STRING,
    groups: listOf(STRING),
    extra: mapOf(STRING, listOf(STRING)),
  }),
  dryRun: BOOL,
  options: DYN,
})

/** The variable `namespaceObject` of policies. Its field `UID` has Kubernetes' spelling. */
export const NAMESPACE_TYPE = declared('Namespace', {
  metadata: declared('NamespaceMetadata', {
    name: STRING,
    generateName: STRING,
    namespace: STRING,
    labels: mapOf(STRING, STRING),
    annotations: mapOf(STRING, STRING),
    UID: STRING,
    creationTimestamp: TIMESTAMP,
    deletionGracePeriodSeconds: INT,
    deletionTimestamp: TIMESTAMP,
    generation: INT,
    resourceVersion: STRING,
    finalizers: listOf(STRING),
  }),
  spec: declared('NamespaceSpec', { finalizers: listOf(STRING) }),
  status: declared('NamespaceStatus', {
    conditions: listOf(
      declared('NamespaceCondition', {
        status: STRING,
        type: STRING,
        lastTransitionTime: TIMESTAMP,
        message: STRING,
        reason: STRING,
      }),
    ),
    phase: STRING,
  }),
})
