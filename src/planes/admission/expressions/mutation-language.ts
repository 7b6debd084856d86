import type { Creatable } from '../../../lib/cel/check/scope.ts'
import { CelError } from '../../../lib/cel/cel-error.ts'
import { textAt } from '../../../lib/cel/functions/arguments.ts'
import { functionsOf } from '../../../lib/cel/functions/function.ts'
import { spendText } from '../../../lib/cel/functions/text-limit.ts'
import type { Language } from '../../../lib/cel/language.ts'
import { DYN, STRING, struct, type Type } from '../../../lib/cel/types/type.ts'
import { formatDuration, formatTimestamp } from '../../../lib/cel/values/times.ts'
import {
  CelDuration,
  CelStruct,
  CelTimestamp,
  CelUint,
  type CelValue,
  isList,
  isMap,
} from '../../../lib/cel/values/value.ts'
import { exactInteger } from '../../../lib/json/json-text.ts'
import type { JsonValue } from '../../../lib/json/json.ts'
import { policyLanguage } from './admission-language.ts'

const NO_FIELDS: ReadonlyMap<string, Type> = new Map()

/** The type of a JSON patch's operation in expressions. */
const JSON_PATCH = struct('JSONPatch', NO_FIELDS)

const PATCH_FIELDS: ReadonlyMap<string, Type> = new Map([
  ['op', STRING],
  ['path', STRING],
  ['from', STRING],
  ['value', DYN],
])

/** `Object` and the types of its fields, such as `Object.spec`, have any fields. */
function creatable(name: string): Creatable | null {
  if (name === 'JSONPatch') {
    return { type: JSON_PATCH, fieldType: (field) => PATCH_FIELDS.get(field) ?? null }
  }
  if (!/^Object(?:\.|$)/.test(name)) return null
  return { type: struct(name, NO_FIELDS), fieldType: () => DYN }
}

const JSON_PATCH_FUNCTIONS = functionsOf([
  [
    'jsonpatch.escapeKey(string): string',
    (args, spend) => {
      const text = textAt(args, 0)
      spendText(text.length, spend)
      return text.replaceAll('~', '~0').replaceAll('/', '~1')
    },
  ],
])

function mutationLanguageOf(hasParams: boolean): Language {
  const language = policyLanguage(hasParams)
  const functions = new Map([...language.functions, ...JSON_PATCH_FUNCTIONS])
  return { ...language, functions, structOf: creatable }
}

const LANGUAGE = mutationLanguageOf(false)
const PARAMETER_LANGUAGE = mutationLanguageOf(true)

/** The language of the mutations of a policy. */
export function mutationLanguage(hasParams: boolean): Language {
  return hasParams ? PARAMETER_LANGUAGE : LANGUAGE
}

/** The JSON of an object or of the value of a patch. Throws a CelError for other values. */
export function jsonOfCel(value: CelValue): JsonValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return exactInteger(value)
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new CelError('JSON has no infinite numbers')
  }
  if (isList(value)) return value.map(jsonOfCel)
  if (isMap(value)) return Object.fromEntries([...value].map(member))
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof CelStruct) return Object.fromEntries([...value.fields].map(member))
  if (value instanceof CelUint) return exactInteger(value.value)
  if (value instanceof CelTimestamp) return formatTimestamp(value)
  if (value instanceof CelDuration) return formatDuration(value)
  throw new CelError(`JSON has no values of the type ${value.type.name}`)
}

function member([key, value]: readonly [unknown, CelValue]): readonly [string, JsonValue] {
  if (typeof key === 'string') return [key, jsonOfCel(value)]
  throw new CelError(`map key "${String(key)}" is not a string`)
}

/** Throws if the name of a type is not the path to its field, as in `Object{spec: Object.other{}}`. */
export function requireTypesOfPaths(value: CelValue, path = 'Object'): void {
  if (isList(value)) {
    for (const item of value) requireTypesOfPaths(item, path)
  } else if (isMap(value)) {
    for (const item of value.values()) requireTypesOfPaths(item, path)
  } else if (value instanceof CelStruct) {
    const { name } = value.type
    if (name !== path) {
      const expected = `expected "${path}", which matches field name path from root Object type`
      throw new CelError(`type mismatch: unexpected type name "${name}", ${expected}`)
    }
    for (const [field, item] of value.fields) requireTypesOfPaths(item, `${path}.${field}`)
  }
}
