import type { JsonObject } from '../../../lib/json/json.ts'
import type { ObjectContent, ObjectWrite, SearchedFields } from '../model/object-write.ts'
import type { ObjectKey } from '../model/stored-object.ts'
import { fieldText } from '../selection/field-text.ts'
import { labelsOf, ownerUidsOf, timeOf } from '../selection/object-metadata.ts'

/** Facts that the records of a write depend on. */
export interface RecordOptions {
  /** The stored bodies of the object and of its companions, as JSON texts. */
  readonly bodies: readonly string[]
  /** Whether an object of this key exists without a row. */
  readonly isComputed: (key: ObjectKey) => boolean
}

/** The place of a write in its statement. */
interface Place {
  /** The position of the first record. */
  readonly position: number
  /** The position of the fence; null for a write without one. */
  readonly fence: number | null
}

/** The records of one write for `write_objects`, as JSON texts: the object, then its companions. */
export function writeRecords(
  write: ObjectWrite,
  { position, fence }: Place,
  options: RecordOptions,
): readonly string[] {
  const [body = 'null', ...companionBodies] = options.bodies
  const record = recordOf(write, body, options, {
    position,
    parent: null,
    type: write.type,
    expected_revision: write.type === 'create' ? null : revisionText(write.revision),
    needs_namespace: write.type === 'create' && write.requireNamespace,
    max_objects: write.type === 'create' ? (write.maxObjects ?? null) : null,
    leaves_tombstone:
      write.type === 'remove' && (write.leaveTombstone || options.isComputed(write.key)),
    before: write.type === 'create' ? null : changedBefore(write.before, write.body),
    fence,
  })
  if (write.type !== 'create') return [record]
  const companions = write.companions.map((companion, index) =>
    recordOf(companion, companionBodies[index] ?? 'null', options, {
      position: position + 1 + index,
      parent: position,
      type: 'create',
      expected_revision: null,
      needs_namespace: false,
      max_objects: null,
      leaves_tombstone: false,
      before: null,
      fence,
    }),
  )
  return [record, ...companions]
}

/** JSON numbers cannot hold every revision. */
function revisionText(revision: bigint | null): string | null {
  return revision === null ? null : String(revision)
}

interface Intent {
  readonly position: number
  /** The position of the create that this record accompanies. */
  readonly parent: number | null
  readonly type: ObjectWrite['type']
  readonly expected_revision: string | null
  readonly needs_namespace: boolean
  readonly max_objects: number | null
  readonly leaves_tombstone: boolean
  readonly before: SearchedFields | null
  readonly fence: number | null
}

/** The stored body is text already, so the record is composed as text. */
// oxlint-disable-next-line max-params -- called for each object of a write: no object per call
function recordOf(
  { key, uid, body, managedFields }: ObjectContent,
  storedBody: string,
  { isComputed }: RecordOptions,
  intent: Intent,
): string {
  const { plane, resource, namespace, name } = key
  const space = { plane, resource: 'namespaces', namespace: '', name: namespace }
  const columns = JSON.stringify({
    ...intent,
    plane,
    resource,
    namespace,
    name,
    uid,
    is_computed: intent.type === 'create' && isComputed(key),
    is_namespace_computed: intent.needs_namespace && isComputed(space),
    managed_fields: managedFields,
    labels: labelsOf(body),
    owner_uids: ownerUidsOf(body),
    created_time: timeOf(body, 'creationTimestamp') ?? new Date().toISOString(),
    deleted_time: timeOf(body, 'deletionTimestamp'),
  })
  return `${columns.slice(0, -1)},"body":${storedBody}}`
}

/** Null if the write does not change the searchable parts. */
function changedBefore(before: SearchedFields, body: JsonObject): SearchedFields | null {
  const labels = labelsOf(body)
  const equal =
    equalEntries(before.labels, labels) &&
    Object.entries(before.fields).every(([path, value]) => fieldText(body, path) === value)
  return equal ? null : before
}

function equalEntries(
  first: Readonly<Record<string, string>>,
  second: Readonly<Record<string, string>>,
): boolean {
  const entries = Object.entries(first)
  return (
    entries.length === Object.keys(second).length &&
    entries.every(([key, value]) => Object.hasOwn(second, key) && second[key] === value)
  )
}
