import { isJsonObject, type JsonValue, isJsonNumber } from '../../lib/json/json.ts'
import type { Comparison, JsonPath, PathStep } from './json-path.ts'
import { listOf } from '../../lib/json/json-fields.ts'

/** The most values that one path may visit. A path that needs more has no result. */
const MAX_VISITS = 5000

/** The values at a path; empty if there are none or too many. */
export function evaluateJsonPath(path: JsonPath, value: JsonValue): readonly JsonValue[] {
  const budget = new Budget()
  const found = walk(path, value, budget)
  return budget.isExceeded ? [] : found
}

class Budget {
  #visits = 0

  get isExceeded(): boolean {
    return this.#visits > MAX_VISITS
  }

  take(count: number): boolean {
    this.#visits += count
    return !this.isExceeded
  }
}

function walk(path: JsonPath, value: JsonValue, budget: Budget): readonly JsonValue[] {
  let current: readonly JsonValue[] = [value]
  for (const step of path) {
    const next: JsonValue[] = []
    for (const item of current) {
      if (!budget.take(1)) return []
      for (const found of take(step, item, budget)) next.push(found)
    }
    if (!budget.take(next.length)) return []
    current = next
  }
  return current
}

function take(step: PathStep, value: JsonValue, budget: Budget): readonly JsonValue[] {
  switch (step.type) {
    case 'field': {
      if (!isJsonObject(value) || !Object.hasOwn(value, step.name)) return []
      const member = value[step.name]
      return member === undefined ? [] : [member]
    }
    case 'index':
      return Array.isArray(value) ? at(value, step.index) : []
    case 'slice':
      return Array.isArray(value) ? value.slice(step.start ?? 0, step.end ?? undefined) : []
    case 'wildcard':
      return children(value)
    case 'descent':
      return descend(value, budget)
    case 'exists':
      return listOf(value).filter((item) => walk(step.path, item, budget).length > 0)
    case 'compare':
      return listOf(value).filter((item) => {
        const [left, ...more] = walk(step.path, item, budget)
        return left !== undefined && more.length === 0 && compare(left, step.comparison, step.value)
      })
  }
}

function descend(value: JsonValue, budget: Budget): readonly JsonValue[] {
  const found = [value]
  for (const item of found) {
    const below = children(item)
    if (!budget.take(below.length)) return []
    found.push(...below)
  }
  return found
}

function at(values: readonly JsonValue[], index: number): readonly JsonValue[] {
  const value = values.at(index)
  return value === undefined ? [] : [value]
}

function children(value: JsonValue): readonly JsonValue[] {
  return isJsonObject(value) ? Object.values(value) : listOf(value)
}

function compare(left: JsonValue, comparison: Comparison, right: JsonValue): boolean {
  if (comparison === '==') return left === right
  const isNumber = isJsonNumber(left) && isJsonNumber(right)
  if (typeof left !== typeof right && !isNumber) return false
  if (comparison === '!=') return left !== right
  const isText = typeof left === 'string' && typeof right === 'string'
  if (!isText && !isNumber) return false
  switch (comparison) {
    case '<':
      return left < right
    case '<=':
      return left <= right
    case '>':
      return left > right
    case '>=':
      return left >= right
  }
}
