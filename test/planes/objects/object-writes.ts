import { randomUUID } from 'node:crypto'
import { must } from '../../../src/lib/assert.ts'
import type { JsonObject } from '../../../src/lib/json/json.ts'
import type { ObjectStore } from '../../../src/store/objects/object-store.ts'
import type { ObjectWrite, WriteOutcome } from '../../../src/store/objects/model/object-write.ts'
import type { ObjectKey, StoredObject } from '../../../src/store/objects/model/stored-object.ts'
import { labelsOf } from '../../../src/store/objects/selection/object-metadata.ts'

/** The key of a config map in plane `p`, namespace `default`. */
export function keyOf(name: string, part: Partial<ObjectKey> = {}): ObjectKey {
  return { plane: 'p', resource: 'configmaps', namespace: 'default', name, ...part }
}

interface Content {
  readonly labels?: Readonly<Record<string, string>>
  readonly owners?: readonly string[]
  readonly data?: JsonObject
  readonly deletionTimestamp?: string
}

/** The body of an object. */
export function bodyOf(key: ObjectKey, uid: string, content: Content = {}): JsonObject {
  const { labels, owners, data, deletionTimestamp } = content
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: key.name,
      namespace: key.namespace,
      uid,
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...(labels && { labels }),
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      ...(owners && { ownerReferences: owners.map((owner) => ({ uid: owner, name: owner })) }),
    },
    ...(data && { data }),
  }
}

type Create = Extract<ObjectWrite, { type: 'create' }>

/** A create without a namespace check. */
export function createOf(key: ObjectKey, content: Content = {}): Create {
  const uid = randomUUID()
  return {
    type: 'create',
    key,
    uid,
    body: bodyOf(key, uid, content),
    managedFields: [{ manager: 'test' }],
    requireNamespace: false,
    companions: [],
  }
}

/** An update of an object that was read. */
export function updateOf(object: StoredObject, content: Content): ObjectWrite {
  const { uid } = object
  return {
    type: 'update',
    key: object,
    uid,
    revision: readRevision(object),
    body: bodyOf(object, uid, content),
    managedFields: object.managedFields,
    before: { labels: labelsOf(object.body), fields: {} },
  }
}

/** Null for a computed object, which has no row. */
function readRevision({ isComputed, revision }: StoredObject): bigint | null {
  return isComputed ? null : revision
}

/** A removal of an object that was read. */
export function removeOf(object: StoredObject): ObjectWrite {
  const { uid, body, managedFields } = object
  return {
    type: 'remove',
    key: object,
    uid,
    revision: readRevision(object),
    leaveTombstone: false,
    body,
    managedFields,
    before: { labels: labelsOf(body), fields: {} },
  }
}

/** Reads an object that must exist. */
export async function readOne(store: ObjectStore, key: ObjectKey): Promise<StoredObject> {
  return must(await store.read(key), `object ${key.name}`)
}

/** The revision of a write that must succeed. */
export function revisionOf(outcome: WriteOutcome): bigint {
  if (outcome.status !== 'written') throw new Error(`expected a write, got ${outcome.status}`)
  return outcome.revision
}
