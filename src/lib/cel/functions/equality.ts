import { isSameScalar, type Spend, STEPS_PER_ITEM } from '../values/compare-values.ts'
import { CelOptional, CelStruct, type CelValue, isList, isMap } from '../values/value.ts'
import { ITEMS_PER_PART, type PartsOf } from './function.ts'

/** Whether a value has parts, so that its comparison can take long. */
export function hasParts(value: CelValue): boolean {
  return isList(value) || isMap(value) || value instanceof CelOptional || value instanceof CelStruct
}

/** Whether two values are equal. Numbers of different types are equal if their values are. */
export function* isSame(one: CelValue, other: CelValue, spend: Spend): PartsOf<boolean> {
  const comparison = new Comparison(spend)
  const result = yield* comparison.compare(one, other)
  yield comparison.uncounted
  return result
}

/** A comparison that can pause after each ITEMS_PER_PART items of all its collections together. */
class Comparison {
  readonly #spend: Spend
  #items = 0

  constructor(spend: Spend) {
    this.#spend = spend
  }

  /** The items since the last place where it could pause. */
  get uncounted(): number {
    return this.#items % ITEMS_PER_PART
  }

  *compare(one: CelValue, other: CelValue): PartsOf<boolean> {
    if (!hasParts(one)) return isSameScalar(one, other, this.#spend)
    this.#spend(STEPS_PER_ITEM)
    if (one === other) return true
    if (isList(one)) {
      if (!isList(other) || one.length !== other.length) return false
      return yield* this.#compareItems(one.entries(), (index) => other[index])
    }
    if (isMap(one)) return isMap(other) && (yield* this.#compareMaps(one, other))
    if (one instanceof CelOptional) {
      if (!(other instanceof CelOptional)) return false
      if (one.value === undefined || other.value === undefined) return one.value === other.value
      return yield* this.compare(one.value, other.value)
    }
    return (
      one instanceof CelStruct &&
      other instanceof CelStruct &&
      one.type.name === other.type.name &&
      (yield* this.#compareMaps(one.fields, other.fields))
    )
  }

  *#compareMaps<Key>(
    one: ReadonlyMap<Key, CelValue>,
    other: ReadonlyMap<Key, CelValue>,
  ): PartsOf<boolean> {
    return one.size === other.size && (yield* this.#compareItems(one, (key) => other.get(key)))
  }

  *#compareItems<Key>(
    items: Iterable<readonly [Key, CelValue]>,
    find: (key: Key) => CelValue | undefined,
  ): PartsOf<boolean> {
    for (const [key, value] of items) {
      const other = find(key)
      if (other === undefined) return false
      const isEqual = hasParts(value)
        ? yield* this.compare(value, other)
        : isSameScalar(value, other, this.#spend)
      if (!isEqual) return false
      this.#items += 1
      // A lookup of a key takes more time than its price.
      if (this.#items % ITEMS_PER_PART === 0) yield ITEMS_PER_PART
    }
    return true
  }
}
