import { endsStep, type Steps } from '../../../lib/async/steps.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { isSameJson } from '../../../lib/json/same-json.ts'
import type { FieldSet } from '../fields/field-set.ts'
import { FieldSetBuilder } from '../fields/field-set-builder.ts'
import { fieldElement } from '../fields/path-element.ts'
import {
  type FieldType,
  isScalar,
  type ListType,
  type MapType,
  memberType,
  shapeOf,
} from './field-type.ts'
import { groupItems } from './list-elements.ts'

/** The fields in which two objects differ. No field is in two of the sets. */
export interface Comparison {
  readonly added: FieldSet
  readonly modified: FieldSet
  readonly removed: FieldSet
}

/** Compares two objects of a type. */
export function* compareObjects(
  type: FieldType,
  before: JsonValue,
  after: JsonValue,
): Steps<Comparison> {
  const comparer = new Comparer()
  yield* comparer.compare(type, before, after)
  return comparer.result()
}

type Optional = JsonValue | undefined

class Comparer {
  readonly #path: string[] = []
  readonly #added = new FieldSetBuilder()
  readonly #modified = new FieldSetBuilder()
  readonly #removed = new FieldSetBuilder()

  result(): Comparison {
    return {
      added: this.#added.build(),
      modified: this.#modified.build(),
      removed: this.#removed.build(),
    }
  }

  *compare(type: FieldType, before: Optional, after: Optional): Steps<void> {
    if (before === after) return
    const [old, young] = [shapeOf(type, before), shapeOf(type, after)]
    let isLeaf = false
    if (after === undefined) isLeaf = yield* this.#compareAs(old, type, before, after)
    else {
      // A value of another shape removes all fields of the old one.
      if (before !== undefined && old !== young) yield* this.#compareAs(old, type, before, after)
      isLeaf = yield* this.#compareAs(young, type, before, after)
    }
    if (isLeaf) return
    if (before === undefined) this.#added.add(this.#path)
    else if (after === undefined) this.#removed.add(this.#path)
  }

  /** Returns whether the value is a leaf. */
  // oxlint-disable-next-line max-params -- called for each field of an object: no object per call
  *#compareAs(
    shape: ReturnType<typeof shapeOf>,
    { map, list }: FieldType,
    before: Optional,
    after: Optional,
  ): Steps<boolean> {
    if (shape === 'map' && map !== null) return yield* this.#compareMaps(map, before, after)
    if (shape === 'list' && list !== null) return yield* this.#compareLists(list, before, after)
    return this.#compareLeaves(before, after)
  }

  #compareLeaves(before: Optional, after: Optional): true {
    if (before === undefined) this.#added.add(this.#path)
    else if (after === undefined) this.#removed.add(this.#path)
    else if (!isSameJson(before, after)) this.#modified.add(this.#path)
    return true
  }

  *#compareMaps(type: MapType, before: Optional, after: Optional): Steps<boolean> {
    const old = isJsonObject(before) ? before : EMPTY
    const young = isJsonObject(after) ? after : EMPTY
    const [oldNames, youngNames] = [Object.keys(old), Object.keys(young)]
    if (type.isAtomic || (oldNames.length === 0 && youngNames.length === 0)) {
      return this.#compareLeaves(before, after)
    }
    for (const name of oldNames) {
      if (endsStep()) yield
      const value = old[name]
      const other = Object.hasOwn(young, name) ? young[name] : undefined
      if (value === other || this.#compareScalars(type, name, value, other)) continue
      yield* this.#descend(fieldElement(name), memberType(type, name), value, other)
    }
    for (const name of youngNames) {
      if (endsStep()) yield
      if (Object.hasOwn(old, name)) continue
      const value = young[name]
      if (this.#compareScalars(type, name, undefined, value)) continue
      yield* this.#descend(fieldElement(name), memberType(type, name), undefined, value)
    }
    return false
  }

  /** Compares scalar members, without a generator for each. Returns false if they are not scalar. */
  // oxlint-disable-next-line max-params -- called for each field of an object: no object per call
  #compareScalars(map: MapType, name: string, before: Optional, after: Optional): boolean {
    const type = memberType(map, name)
    if (before !== undefined && !isScalar(type, before)) return false
    if (after !== undefined && !isScalar(type, after)) return false
    this.#path.push(fieldElement(name))
    this.#compareLeaves(before, after)
    this.#path.pop()
    return true
  }

  // oxlint-disable-next-line max-params -- called for each field of an object: no object per call
  *#descend(element: string, type: FieldType, before: Optional, after: Optional): Steps<void> {
    this.#path.push(element)
    yield* this.compare(type, before, after)
    this.#path.pop()
  }

  *#compareLists(type: ListType, before: Optional, after: Optional): Steps<boolean> {
    const old: readonly JsonValue[] = Array.isArray(before) ? before : []
    const young: readonly JsonValue[] = Array.isArray(after) ? after : []
    if (type.relation === 'atomic' || (old.length === 0 && young.length === 0)) {
      return this.#compareLeaves(before, after)
    }
    if (isSameJson(old, young)) return false
    const oldGroups = yield* groupItems(type, old)
    const youngGroups = yield* groupItems(type, young)
    for (const [element, items] of oldGroups) {
      if (endsStep()) yield
      yield* this.#compareItems(element, type, items, youngGroups.get(element) ?? [])
    }
    for (const [element, items] of youngGroups) {
      if (endsStep()) yield
      if (!oldGroups.has(element)) yield* this.#compareItems(element, type, [], items)
    }
    return false
  }

  /** Duplicates are one atomic value. */
  // oxlint-disable-next-line max-params -- called for each field of an object: no object per call
  *#compareItems(
    element: string,
    type: ListType,
    old: readonly JsonValue[],
    young: readonly JsonValue[],
  ): Steps<void> {
    if (old.length < 2 && young.length < 2) {
      yield* this.#descend(element, type.items, old[0], young[0])
      return
    }
    const path = [...this.#path, element]
    if (old.length >= 2 && young.length >= 2) {
      if (!isSameJson(old, young)) this.#modified.add(path)
    } else if (old.length >= 2) {
      if (young.length === 1) yield* this.#descend(element, type.items, undefined, young[0])
      this.#removed.add(path)
    } else {
      if (old.length === 1) yield* this.#descend(element, type.items, old[0], undefined)
      this.#added.add(path)
    }
  }
}

const EMPTY: JsonObject = Object.freeze({})
