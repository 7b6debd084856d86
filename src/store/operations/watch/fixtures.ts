import type { ChangeType, ResourceChange } from '../../model/change.ts'

type Labels = Readonly<Record<string, string>>

interface LabelChange {
  readonly id?: string
  readonly version?: bigint
  readonly type?: ChangeType
  readonly before?: Labels
  readonly after: Labels
}

/** The deletion of a resource by `ada`, as a change of the resource. */
export function changeByDeletion(): ResourceChange {
  const change = changeOfLabels({ before: {}, after: {} })
  const deleted = { deletedTime: new Date(1), deletedBy: 'ada' }
  return { ...change, resource: { ...change.resource, ...deleted } }
}

/** A change of a resource's labels. */
export function changeOfLabels(change: LabelChange): ResourceChange {
  const { id = 'a', version = 2n, type = 'MODIFIED', before, after } = change
  const time = new Date(0)
  const state = { generation: 1, spec: '{}', conditions: [], updatedTime: time, updatedBy: 'ada' }
  return {
    subject: 'resource',
    revision: 1n,
    type,
    resource: {
      ...state,
      id,
      tenant: '',
      kind: 'Thing',
      name: 'thing',
      ownerId: '',
      version,
      labels: JSON.stringify(after),
      annotations: '{}',
      refs: {},
      requiredAdapters: null,
      createdTime: time,
      createdBy: 'ada',
      deletedTime: null,
      deletedBy: null,
    },
    before: before
      ? { ...state, labels: JSON.stringify(before), requiredAdapters: null, deletedTime: null }
      : null,
  }
}
