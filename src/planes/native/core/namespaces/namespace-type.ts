import { nativeType } from '../../native-type.ts'
import { AGE_COLUMN, NAME_COLUMN, textColumn } from '../../printer-columns.ts'
import { atomicList, definition, keyedList, TEXT, text, time } from '../../schemas/field-schemas.ts'

const CONDITION = definition('io.k8s.api.core.v1.NamespaceCondition', {
  description: 'An observation about the deletion of a namespace.',
  properties: {
    lastTransitionTime: time('Last time the status changed.'),
    message: text('Explanation for readers.'),
    reason: text('Reason in CamelCase.'),
    status: text('True, False or Unknown.'),
    type: text('Type of the condition.'),
  },
  required: ['type', 'status'],
})

/** The type of namespaces. */
export const NAMESPACE_TYPE = nativeType({
  group: '',
  kind: 'Namespace',
  plural: 'namespaces',
  definitions: 'io.k8s.api.core.v1',
  shortNames: ['ns'],
  namespaced: false,
  nameRule: 'dns-label',
  verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  description: 'A scope of names. Deleting a namespace deletes the objects in it.',
  properties: {
    spec: definition('io.k8s.api.core.v1.NamespaceSpec', {
      description: 'The desired state of a namespace.',
      properties: {
        finalizers: atomicList(
          TEXT,
          'Finalizers that must be removed before the namespace is. The server removes kubernetes when the namespace is empty.',
        ),
      },
    }),
    status: definition('io.k8s.api.core.v1.NamespaceStatus', {
      description: 'The observed state of a namespace.',
      properties: {
        conditions: keyedList(CONDITION, ['type'], 'Observations about the deletion.'),
        phase: text('Active, or Terminating during the deletion.'),
      },
    }),
  },
  printerColumns: [
    NAME_COLUMN,
    textColumn('Status', '.status.phase', 'Phase of the namespace.'),
    AGE_COLUMN,
  ],
  selectableFields: ['status.phase'],
  hasStatus: true,
  statusSetsMetadata: true,
  subresources: [
    { name: 'finalize', group: '', version: 'v1', kind: 'Namespace', verbs: ['update'] },
  ],
})
