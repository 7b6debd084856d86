import { isJsonObject, type JsonObject } from '../../../lib/json/json.ts'
import { type FieldNode, type FieldSet, NO_FIELDS } from '../fields/field-set.ts'
import { EMPTY, SELF, serializeNode } from '../fields/fields-v1.ts'
import { compareElements, isCanonicalElement } from '../fields/path-element.ts'
import type { FieldType } from './field-type.ts'
import { childType, isAtomic } from './reconcile-fields.ts'

/** A change of owned fields. Fields below removed ones stay, and fields in both sets are added. */
export interface FieldEdit {
  readonly removed: FieldSet
  readonly added: FieldSet
}

/**
 * Changes fields in the format FieldsV1 in one pass, without a set of all of them: half the time of
 * parsing, changing and serializing them. Null if they are not canonical, or if the schema has
 * changed so that `reconcileFields` would adapt them.
 */
export function editFields(type: FieldType, owned: JsonObject, edit: FieldEdit): JsonObject | null {
  const fields: Record<string, JsonObject> = {}
  return addEdited(fields, { type, owned, ...edit }) === null ? null : fields
}

interface Level extends FieldEdit {
  /** Null if nothing is known of the fields. */
  readonly type: FieldType | null
  readonly owned: JsonObject
}

/** Adds the changed fields of a level and returns their number. Null if they are not canonical. */
function addEdited(
  fields: Record<string, JsonObject>,
  { type, owned, removed, added }: Level,
): number | null {
  const missing = missingNodes(owned, added)
  let count = missing.length
  for (const element of Object.keys(owned)) {
    if (element === SELF) continue
    const node = owned[element]
    if (!isJsonObject(node) || !isCanonicalElement(element)) return null
    for (let next = missing.at(-1); next !== undefined; next = missing.at(-1)) {
      if (compareElements(next[0], element) >= 0) break
      addLast(fields, missing)
    }
    const change = { removed: removed.get(element), added: added.get(element) }
    const edited = isKept(node, change) ? node : editNode(type, element, node, change)
    if (edited === null) return null
    if (edited === 'removed') continue
    fields[element] = edited
    count += 1
  }
  while (missing.length > 0) addLast(fields, missing)
  return count
}

type Nodes = (readonly [string, FieldNode])[]

/**
 * The added fields that are not among the owned ones. The first one is last: removing the first item
 * of a long array moves all others.
 */
function missingNodes(owned: JsonObject, added: FieldSet): Nodes {
  return [...added]
    .filter(([element]) => !Object.hasOwn(owned, element))
    .sort(([first], [second]) => compareElements(second, first))
}

function addLast(fields: Record<string, JsonObject>, missing: Nodes): void {
  const next = missing.pop()
  if (next !== undefined) fields[next[0]] = serializeNode(next[1])
}

interface NodeEdit {
  readonly removed: FieldNode | undefined
  readonly added: FieldNode | undefined
}

/** Whether the edit leaves a field that has no fields below it. Most fields of large objects are. */
function isKept(node: JsonObject, { removed, added }: NodeEdit): boolean {
  if (removed !== undefined || added !== undefined) return false
  for (const _name in node) return false
  return true
}

// oxlint-disable-next-line max-params -- called for each field of an object: no object per call
function editNode(
  parentType: FieldType | null,
  element: string,
  node: JsonObject,
  { removed, added }: NodeEdit,
): JsonObject | 'removed' | null {
  const isLeaf = Object.keys(node).every((name) => name === SELF)
  const type = isLeaf || parentType === null ? null : childType(parentType, element)
  if (type !== null && isAtomic(type)) return null
  const wasMember = isLeaf || Object.hasOwn(node, SELF)
  const isMember = (wasMember && removed?.isMember !== true) || added?.isMember === true
  const fields: Record<string, JsonObject> = isMember ? { [SELF]: EMPTY } : {}
  const count = addEdited(fields, {
    type,
    owned: node,
    removed: removed?.children ?? NO_FIELDS,
    added: added?.children ?? NO_FIELDS,
  })
  if (count === null) return null
  if (count > 0) return fields
  return isMember ? EMPTY : 'removed'
}
