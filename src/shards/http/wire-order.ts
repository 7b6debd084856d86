import { compareText } from '../../lib/text/compare-text.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../lib/json/json.ts'
import { sixDigits } from '../../lib/precise-date.ts'
import { type OrderRules, parseOrder } from '../../hyperfleet/query/order-by.ts'
import { RESOURCE_ORDER } from '../../hyperfleet/query/resource-order.ts'

const LABEL = 'labels.'

/** The order of lists, by the names of fields in responses. */
const RULES: OrderRules<string> = {
  columnOf: (field) => (RESOURCE_ORDER.columnOf(field) === null ? null : field),
  allowed: RESOURCE_ORDER.allowed,
  fallback: { column: 'created_time', direction: 'desc' },
  tieBreak: 'id',
}

/** Compares the items of responses in the order that a list request asks for. */
export function itemOrder(
  orderBy: string | undefined,
  order: string | undefined,
): (first: JsonObject, second: JsonObject) => number {
  const terms = parseOrder(orderBy, order, RULES)
  return (first, second) => {
    for (const { column, direction } of terms) {
      const difference = compareValues(valueOf(first, column), valueOf(second, column))
      if (difference !== 0) return direction === 'asc' ? difference : -difference
    }
    return 0
  }
}

function valueOf(item: JsonObject, field: string): JsonValue | undefined {
  if (!field.startsWith(LABEL)) {
    const value = item[field]
    // Servers of a version before write fewer digits.
    return typeof value === 'string' && field.endsWith('_time') ? sixDigits(value) : value
  }
  return isJsonObject(item['labels']) ? item['labels'][field.slice(LABEL.length)] : undefined
}

/** Absent values are greater than all others, as in PostgreSQL. */
function compareValues(first: JsonValue | undefined, second: JsonValue | undefined): number {
  if (typeof first === 'number' && typeof second === 'number') return first - second
  if (typeof first === 'string' && typeof second === 'string') return compareText(first, second)
  return (isAbsent(first) ? 1 : 0) - (isAbsent(second) ? 1 : 0)
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null
}
