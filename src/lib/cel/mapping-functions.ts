import { CelError } from './cel-error.ts'
import { textAt, valueAt } from './functions/arguments.ts'
import type { Declarations } from './functions/function.ts'
import type { Spend } from './values/compare-values.ts'
import { formatDuration, formatTimestamp } from './values/times.ts'
import { CelDuration, CelTimestamp, CelUint, type CelValue, isList, isMap } from './values/value.ts'

/** The longest result of toJson, in UTF-16 units. */
const MAX_JSON_LENGTH = 1024 * 1024

/** Functions of the rules that map reports to conditions. */
export const MAPPING_FUNCTIONS: Declarations = [
  ['dig(dyn, string): dyn', (args, spend) => dig(valueAt(args, 0), textAt(args, 1), spend)],
  ['toJson(dyn): string', (args, spend) => toJson(valueAt(args, 0), spend)],
]

/** The value at a dotted path such as `items.0.name`, or null if a step leads nowhere. */
function dig(target: CelValue, path: string, spend: Spend): CelValue {
  spend(Math.ceil(path.length / 10))
  const steps = path
    .split('.')
    .map((step) => step.trim())
    .filter((step) => step !== '')
  return steps.reduce<CelValue>((value, step) => stepInto(value, step) ?? null, target)
}

function stepInto(value: CelValue, step: string): CelValue | undefined {
  if (isMap(value)) return value.get(step)
  return isList(value) && /^\d+$/.test(step) ? value[Number(step)] : undefined
}

/** A CEL value as JSON text. */
function toJson(value: CelValue, spend: Spend): string {
  const text = JSON.stringify(value, (_name, part: CelValue) => plain(part, spend)) ?? 'null'
  if (text.length > MAX_JSON_LENGTH) {
    throw new CelError(`toJson makes more than ${MAX_JSON_LENGTH} characters`)
  }
  return text
}

function plain(value: CelValue, spend: Spend): unknown {
  spend(typeof value === 'string' ? Math.ceil(value.length / 100) : 0.1)
  if (isMap(value)) return Object.fromEntries(value)
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof CelUint) return Number(value.value)
  if (value instanceof CelTimestamp) return formatTimestamp(value)
  return value instanceof CelDuration ? formatDuration(value) : value
}
