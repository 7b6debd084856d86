import {
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../../lib/json/json.ts'
import { parseDuration, parseTimestamp } from '../../../lib/cel/values/times.ts'
import type { CelValue } from '../../../lib/cel/values/value.ts'
import { celNumber } from '../../expressions/cel-value.ts'
import type { Schema } from '../../model/schema.ts'
import { memberOf } from '../canonical-text.ts'
import { celFieldName } from './field-names.ts'
import { resourceSchema } from './root-schema.ts'

/** Converts values for rules. Keeps the results, because rules of several levels share values. */
export type ValueConverter = (value: JsonValue, schema: Schema) => CelValue

/** The names of the declared properties of a schema in CEL. */
const NAMES = new WeakMap<Schema, readonly (readonly [string, string, Schema])[]>()

/**
 * Creates a converter. Values become what their schema declares: fields that it does not declare are
 * invisible, and times and durations are not texts.
 */
export function createValueConverter(): ValueConverter {
  const converted = new WeakMap<object, CelValue>()

  function convert(value: JsonValue, schema: Schema): CelValue {
    if (typeof value !== 'object' || value === null) return scalar(value, schema)
    const cached = converted.get(value)
    if (cached !== undefined) return cached
    const result = isJsonArray(value) ? convertList(value, schema) : convertObject(value, schema)
    converted.set(value, result)
    return result
  }

  function convertList(list: readonly JsonValue[], { items }: Schema): CelValue {
    return items ? list.map((item) => convert(item, items)) : []
  }

  function convertObject(value: JsonValue, schema: Schema): CelValue {
    if (!isJsonObject(value)) return null
    return new Map(
      schema.properties || schema['x-kubernetes-embedded-resource']
        ? declaredMembers(value, schema)
        : otherMembers(value, schema),
    )
  }

  function declaredMembers(object: JsonObject, schema: Schema): [string, CelValue][] {
    const isResource = schema['x-kubernetes-embedded-resource'] === true
    return namesOf(isResource ? resourceSchema(schema) : schema).flatMap(
      ([property, name, declared]): [string, CelValue][] => {
        const member = memberOf(object, property)
        return member === undefined ? [] : [[name, convert(member, declared)]]
      },
    )
  }

  function otherMembers(
    object: JsonObject,
    { additionalProperties }: Schema,
  ): [string, CelValue][] {
    if (typeof additionalProperties !== 'object') return []
    return Object.keys(object).map((name) => {
      return [name, convert(object[name] ?? null, additionalProperties)]
    })
  }
  return convert
}

function namesOf(schema: Schema): readonly (readonly [string, string, Schema])[] {
  const cached = NAMES.get(schema)
  if (cached) return cached
  const names = Object.entries(schema.properties ?? {}).flatMap(
    ([property, declared]): [string, string, Schema][] => {
      const name = celFieldName(property)
      return name === null ? [] : [[property, name, declared]]
    },
  )
  NAMES.set(schema, names)
  return names
}

function scalar(value: string | number | bigint | boolean | null, schema: Schema): CelValue {
  if (typeof value === 'bigint') return schema.type === 'number' ? Number(value) : value
  if (typeof value === 'number') return schema.type === 'number' ? value : celNumber(value)
  if (typeof value !== 'string') return value
  switch (schema.format) {
    case 'date-time':
      return valueOrText(value, parseTimestamp, value)
    case 'date':
      return valueOrText(`${value}T00:00:00Z`, parseTimestamp, value)
    case 'duration':
      return valueOrText(value, parseDuration, value)
    case 'byte':
      return Buffer.from(value, 'base64')
    default:
      return value
  }
}

/** The parsed text, or the original if it cannot be parsed. */
function valueOrText(text: string, parse: (text: string) => CelValue, original: string): CelValue {
  try {
    return parse(text)
  } catch {
    return original
  }
}
