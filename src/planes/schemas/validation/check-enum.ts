import type { JsonValue } from '../../../lib/json/json.ts'
import { unsupportedValue } from '../../errors/field-errors.ts'
import type { Schema } from '../../model/schema.ts'
import { canonicalText } from '../canonical-text.ts'
import { type Check, countParts, report } from './validation-run.ts'
import { jsonText } from '../../../lib/json/json-text.ts'

/** The most values that a message lists. */
const MAX_SHOWN = 100

/** Checks that the value is one of the schema's. Null if the schema has no such rule. */
export function compileEnumCheck({ enum: values, nullable }: Schema): Check | null {
  if (values === undefined) return null
  const scalars = new Set<JsonValue>(values.filter((value) => !isCompound(value)))
  const compounds = new Set(values.filter(isCompound).map(canonicalText))
  const supported = values.slice(0, MAX_SHOWN).map(shown)
  return (value, _old, path, run) => {
    if (isCompound(value)) countParts(value, run)
    const isSupported = isCompound(value)
      ? compounds.has(canonicalText(value))
      : scalars.has(value) || (value === null && nullable === true)
    if (!isSupported) report(run, unsupportedValue(path, value, supported))
  }
}

function isCompound(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null
}

function shown(value: JsonValue): string {
  return typeof value === 'string' ? value : jsonText(value)
}
