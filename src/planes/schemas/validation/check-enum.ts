import { isJsonArray, type JsonObject, type JsonValue } from '../../../lib/json/json.ts'
import { unsupportedValue } from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { canonicalText } from '../canonical-text.ts'
import { type Check, countChecks, report, type ValidationRun } from './validation-run.ts'
import { jsonText } from '../../../lib/json/json-text.ts'

/** The most values that a message lists. */
const MAX_SHOWN = 100

/** Checks that the value is one of the schema's. Null if the schema has no such rule. */
export function compileEnumCheck({ enum: values, nullable }: Schema): Check | null {
  if (values === undefined) return null
  const scalars = new Set<JsonValue>(values.filter((value) => !isCompound(value)))
  const compounds = values.filter(isCompound)
  const texts = new Set(compounds.map(canonicalText))
  const maxParts = compounds.reduce((max, value) => Math.max(max, partsOf(value, Infinity)), 0)
  const supported = values.slice(0, MAX_SHOWN).map(shown)
  const isOneOf = (value: JsonValue, run: ValidationRun): boolean => {
    const parts = partsOf(value, maxParts)
    countChecks(run, parts)
    return parts <= maxParts && texts.has(canonicalText(value))
  }
  return (value, _old, path, run) => {
    const isSupported = isCompound(value)
      ? isOneOf(value, run)
      : scalars.has(value) || (value === null && nullable === true)
    if (!isSupported) report(run, unsupportedValue(path, value, supported))
  }
}

function isCompound(value: JsonValue): value is JsonObject | readonly JsonValue[] {
  return typeof value === 'object' && value !== null
}

/** The number of parts of a value. Larger values have any number above the limit. */
function partsOf(value: JsonValue, limit: number): number {
  let count = 1
  if (!isCompound(value)) return count
  for (const part of isJsonArray(value) ? value : Object.values(value)) {
    if (count > limit) break
    count += partsOf(part, limit - count)
  }
  return count
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonText(value)
}
